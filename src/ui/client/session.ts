// Who is signed in. `me` is read before the app opens; without a session, the person is sent to set-up or sign-in.
import { ApiError, call, type Answer } from './call.ts';
import { keyOf, useRead } from './hooks.ts';
import { queries } from './topics.ts';

export type Me = Answer<'me_get'>;

export const readMe = (): Promise<Me> =>
  queries.fetchQuery({ queryKey: keyOf('me_get', {}), queryFn: () => call('me_get', {}), staleTime: 20_000 });

/** Where someone unknown belongs: `set-up` while no administrator exists, `sign-in` afterwards. */
export async function whereUnknown(): Promise<'set-up' | 'sign-in'> {
  const state = await queries.fetchQuery({
    queryKey: keyOf('auth_state', {}),
    queryFn: () => call('auth_state', {}),
    staleTime: 0,
  });
  return state.set_up ? 'sign-in' : 'set-up';
}

/** The signed-in person. Inside the desk it is always there: the desk opens only once it is read. */
export function useMe(): Me {
  const { data } = useRead('me_get', {});
  if (!data) throw new ApiError(401, 'unauthorized', 'sign in to continue');
  return data;
}

/** A sign-in, a sign-out and an accepted invitation change who everything was read for. */
export function forgetEverything(): void {
  queries.clear();
}
