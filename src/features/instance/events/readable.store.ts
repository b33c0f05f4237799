// Which deliveries a caller may read: the right to events shows those about what they may read, by the ids that are in the
// body. Where a reader's policies say nothing of a kind of thing, the right to events is enough for its ids; a card's event
// has its title, and is for those alone who may read the card.
import type { Caller } from '../../../kernel/caller.ts';
import type { Reader } from '../../../kernel/database.ts';
import { unlessSaid } from '../../access/policies/named.rules.ts';
import { allowedBy, type Condition } from '../../access/policies/named.store.ts';

/** For `where`, of `event_deliveries d`. */
export function readable(db: Reader, { rights }: Caller): Condition {
  const said = (key: string): Condition => db`(d.body::jsonb -> 'data' ->> ${key}::text)::uuid`;
  const key = db`(select p.key from work_projects p where p.id = ${said('project_id')})`;
  const may = (action: string, names: Parameters<typeof allowedBy>[3]): Condition | null =>
    allowedBy(db, unlessSaid(rights, action), action, names);
  const campaign = { 'outreach:campaign/': said('campaign_id') };
  const card = { 'work:item/': said('item_id'), 'work:project/': { text: key } };
  const thread = db`(select x.thread_id from touches x where x.id = ${said('touch_id')})`;
  const conditions: [event: string, may: Condition | null][] = [
    ['work.review_parked', allowedBy(db, rights, 'work.item.read', card)],
    ['reply.landed', may('inbox.thread.read', { 'inbox:thread/': thread, ...campaign })],
    ['send.held', may('outreach.send.read', { 'outreach:send/': said('send_id'), ...campaign })],
    ['deal.opened', may('crm.deal.read', { 'crm:deal/': said('deal_id') })],
    ['domain.paused', may('outreach.domain.read', { 'outreach:domain/': said('domain_id') })],
    ...(['reply.landed', 'send.held', 'deal.opened'] as const).flatMap((event) => [
      [event, may('crm.person.read', { 'crm:person/': said('person_id') })] as [string, Condition | null],
      [event, orNone(db, said('campaign_id'), may('outreach.campaign.read', campaign))] as [
        string,
        Condition | null,
      ],
    ]),
    ...(rights.projects === null
      ? []
      : [['work.review_parked', db`${key} = any(${[...rights.projects]}::text[])`] as [string, Condition]]),
  ];
  return conditions
    .filter((each): each is [string, Condition] => each[1] !== null)
    .reduce(
      (all, [event, may_]) => db`${all} and (d.event <> ${event} or coalesce(${may_}, false))`,
      db`true`,
    );
}

const orNone = (db: Reader, id: Condition, may: Condition | null): Condition | null =>
  may && db`(${id} is null or ${may})`;
