// Who may read the words of a message: whoever may read its conversation and it. Everything that shows words of one asks here,
// wherever they stand: below an answer of ours, in a line of a list, on the page of a person.
import { actionMatches, decide, type Rights } from '../../../../kernel/policy.ts';
import { threadNames, touchNames } from '../names.rules.ts';

const READ = 'mail.message.read';

/** A touch, as policies name it: by itself, by the conversation it stands in, by the campaigns of both. */
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

/** Whom a message is from, as it said itself; null where it said nothing. */
export const fromOf = ({
  from_address: address,
  from_name: name,
}: {
  from_address: string | null;
  from_name: string | null;
}): { address: string | null; name: string | null } | null =>
  address === null && name === null ? null : { address, name };
