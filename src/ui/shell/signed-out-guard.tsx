// When the session ends while the desk is open, the way leads to sign-in and back to the same address. A refused act alone
// proves nothing (a wrong password is a 401 too), so `me` is read again and decides.
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError, call } from '../client/call.ts';
import { forgetEverything } from '../client/session.ts';

const unknown = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

export function SignedOutGuard() {
  const client = useQueryClient();
  const router = useRouter();
  useEffect(() => {
    let asking = false;
    const check = async (): Promise<void> => {
      if (asking) return;
      asking = true;
      try {
        await call('me_get', {});
      } catch (error) {
        if (unknown(error)) {
          await router.navigate({ to: '/sign-in', search: { to: router.state.location.href } });
          forgetEverything();
        }
      } finally {
        asking = false;
      }
    };
    const reads = client.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error' && unknown(event.action.error))
        void check();
    });
    const acts = client.getMutationCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error' && unknown(event.action.error))
        void check();
    });
    return () => {
      reads();
      acts();
    };
  }, [client, router]);
  return null;
}
