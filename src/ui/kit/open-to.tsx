// The place of a form that creates something. People who may not create it are told so here; what they may read is another
// matter.
import { useState, type ReactNode } from 'react';
import { ApiError } from '../client/call.ts';
import { useRead } from '../client/hooks.ts';
import { Bones, Trouble } from './states.tsx';

/** What is in place of whatever does this action, as policies name it; null where it is open. */
export function useOpenTo(action: string): ReactNode {
  const [opened, open] = useState(false);
  const { data, error, refetch } = useRead('me_may', { action });
  if (data?.may && !opened) open(true);
  // What was open once stays: whoever writes there loses no word of it.
  if (opened || data?.may) return null;
  if (data) return <Trouble subject error={new ApiError(403, 'policy_denied', data.sentence ?? '')} />;
  if (error) return <Trouble subject error={error} again={() => void refetch()} />;
  return <Bones lines={6} height={22} />;
}

export const OpenTo = ({ action, children }: { action: string; children: ReactNode }) =>
  useOpenTo(action) ?? children;
