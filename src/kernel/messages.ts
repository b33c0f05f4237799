// The names policies use for a conversation and its messages, and who may read a message’s text: anyone who may read both the
// conversation and the message. Everything that shows text of a message asks here.
import { actionMatches, decide, type Rights } from './policy.ts';

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

const READ = 'mail.message.read';

/** A touch, as policies name it: on its own, by the conversation it is in, by the campaigns of both. */
export type Message = {
  id: string;
  thread_id: string;
  campaign_id: string | null;
  thread_campaign_id: string | null;
};

export const mayReadMessage = (rights: Rights, { thread_campaign_id, ...message }: Message): boolean =>
  decide(rights, 'inbox.thread.read', threadNames({ id: message.thread_id, campaign_id: thread_campaign_id }))
    .allowed && decide(rights, READ, touchNames(message)).allowed;

/** Of a conversation that they may read. */
export const mayReadIn = (
  rights: Rights,
  touch: { id: string; thread_id: string; campaign_id: string | null },
) => decide(rights, READ, touchNames(touch)).allowed;

/** Every message or none, where no policy of theirs tells messages apart; null: one by one. */
export function readsMessages(rights: Rights): boolean | null {
  if (rights.admin) return true;
  const speak = rights.policies
    .flatMap(({ statements }) => statements)
    .filter(({ actions }) => actions.some((pattern) => actionMatches(pattern, READ)));
  return speak.every(({ resources }) => resources.includes('*'))
    ? decide(rights, READ, ['mail:message']).allowed
    : null;
}
