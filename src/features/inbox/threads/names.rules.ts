// What policies call a thread and a touch, and the channels there are.
import type { Principal } from '../../../kernel/caller.ts';

export const CHANNELS = ['email', 'form', 'sms', 'linkedin', 'call', 'chat'] as const;
export type Channel = (typeof CHANNELS)[number];

export const THREAD_STATES = ['open', 'snoozed', 'closed'] as const;
export type ThreadState = (typeof THREAD_STATES)[number];

export const LABELS_MAX = 20;

export const threadName = (id: string): string => `inbox:thread/${id}`;

type InCampaign = { id: string; campaign_id: string | null };

export const threadNames = ({ id, campaign_id }: InCampaign): string[] => [
  threadName(id),
  ...(campaign_id === null ? [] : [`outreach:campaign/${campaign_id}`]),
];

export const touchNames = (touch: InCampaign & { thread_id: string }): string[] => [
  `mail:message/${touch.id}`,
  ...threadNames({ id: touch.thread_id, campaign_id: touch.campaign_id }),
];

/** Of a chat: whose it is. Nobody else has it, whatever their policies say. */
export const owns = (
  { kind, id }: Principal,
  thread: { owner_kind: string | null; owner_id: string | null },
): boolean => thread.owner_kind === kind && thread.owner_id === id;
