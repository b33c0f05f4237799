// The channels and states there are, whose a chat is, and whom a message is from.
import type { Principal } from '../../../kernel/caller.ts';

export const CHANNELS = ['email', 'form', 'sms', 'linkedin', 'call', 'chat'] as const;
export type Channel = (typeof CHANNELS)[number];

export const THREAD_STATES = ['open', 'snoozed', 'closed'] as const;
export type ThreadState = (typeof THREAD_STATES)[number];

export const LABELS_MAX = 20;

/** Of a chat: whose it is. No one else has it, whatever their policies say. */
export const owns = (
  { kind, id }: Principal,
  thread: { owner_kind: string | null; owner_id: string | null },
): boolean => thread.owner_kind === kind && thread.owner_id === id;

/** Whom a message is from, as it said itself; null where it said nothing. */
export const fromOf = ({
  from_address: address,
  from_name: name,
}: {
  from_address: string | null;
  from_name: string | null;
}): { address: string | null; name: string | null } | null =>
  address === null && name === null ? null : { address, name };
