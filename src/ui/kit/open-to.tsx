// The place of a form on a screen that makes something and shows nothing: whoever may not read what it would stand among is
// told so in its place.
import type { ReactNode } from 'react';
import { ApiError } from '../client/call.ts';
import { Bones, Trouble } from './states.tsx';

type Asked = { data: unknown; error: ApiError | null; isPending: boolean };

/** What was open once stays: whoever writes there loses no word of it. */
export const isShut = ({ data, error }: Asked): boolean => data === undefined && error?.status === 403;

type OpenToProps = {
  /** What is asked for the page that lists such things. */
  read: Asked;
  /** The sentence for whom it is shut all the same. */
  shut?: string | null;
  children: ReactNode;
};

export function OpenTo({ read, shut, children }: OpenToProps) {
  if (shut) return <Trouble subject error={new ApiError(403, 'denied', shut)} />;
  if (read.error && isShut(read)) return <Trouble subject error={read.error} />;
  if (read.isPending) return <Bones lines={6} height={22} />;
  return children;
}
