// Keeps the page to one person. A session that ends is begun again in a dialog over the page (client/session-over.ts); whoever
// signs out leaves every tab. Where it is someone else by then, who signed in in another tab, nothing that was read for the one
// before stays.
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { leaveWithOthers, onceSignedIn, openFor, useSignedOut } from '../client/session-over.ts';
import { useMe } from '../client/session.ts';
import { staleAll } from '../client/topics.ts';

export function SignedOutGuard() {
  const router = useRouter();
  const { id } = useMe().principal;
  const [by] = useState(id);
  const signedOut = useSignedOut();
  useEffect(() => {
    if (id !== by) location.reload();
  }, [id, by]);
  useEffect(() => openFor(by), [by]);
  useEffect(() => leaveWithOthers(() => router.state.location.href), [router]);
  useEffect(() => (signedOut ? onceSignedIn(() => void staleAll()) : undefined), [signedOut]);
  return null;
}
