// When the session ends while the desk is open, the way leads to sign-in and back to the same address. A refused act alone
// proves nothing (a wrong password is a 401 too), so `me` is read again and decides. Where it is someone else by then, who
// signed in in another tab, nothing that was read for the one before stays.
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ApiError, call } from '../client/call.ts';
import { useMe } from '../client/session.ts';

const unknown = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

export function SignedOutGuard() {
  const client = useQueryClient();
  const router = useRouter();
  const { id } = useMe().principal;
  const [by] = useState(id);
  useEffect(() => {
    if (id !== by) location.reload();
  }, [id, by]);
  useEffect(() => {
    let asking = false;
    const check = async (): Promise<void> => {
      if (asking) return;
      asking = true;
      try {
        await call('me_get', {});
      } catch (error) {
        // A whole new page: nothing that was read for someone else stays in memory.
        if (unknown(error)) {
          const { href } = router.state.location;
          location.assign(`/sign-in?${new URLSearchParams({ to: href })}`);
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
