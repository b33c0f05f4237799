// Keeps a page to one person. A session that ended is renewed in a dialog over the page (client/session-over.ts). Signing out
// leaves every tab. If someone else signed in from another tab, nothing that was loaded for the first person stays.
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
