// The current names of the records that a page of log entries is about, in one query. Without the right to read a record, its
// name is left out.
import type { Caller } from '../../../kernel/caller.ts';
import type { Reader } from '../../../kernel/database.ts';
import { isUuid } from '../../../kernel/ids.ts';
import { decide, onBoard, projectName } from '../../../kernel/policy.ts';
import { NOUNS, type Noun } from './nouns.rules.ts';

export type Thing = { noun: Noun; id: string };
export type Called = Thing & { key: string | null; title: string };

type Part = ReturnType<Reader>;
type Row = Called & { campaign_id: string | null };

/** Right and row of each; `key` is what an address of a card is made of. */
const CALLED: Partial<Record<Noun, [action: string, rows: (db: Reader, ids: string[]) => Part]>> = {
  person: [
    'crm.person.read',
    (db, ids) => db`select id, name as title from people where id = any(${ids}::uuid[])`,
  ],
  company: [
    'crm.company.read',
    (db, ids) => db`select id, name as title from companies where id = any(${ids}::uuid[])`,
  ],
  deal: [
    'crm.deal.read',
    (db, ids) => db`select id, name as title from deals where id = any(${ids}::uuid[])`,
  ],
  segment: [
    'crm.segment.read',
    (db, ids) => db`select id, name as title from segments where id = any(${ids}::uuid[])`,
  ],
  campaign: [
    'outreach.campaign.read',
    (db, ids) => db`
    select id, name as title from campaigns where id = any(${ids}::uuid[])`,
  ],
  prospect: [
    'outreach.prospect.read',
    (db, ids) => db`
    select r.id, p.name as title, null as key, r.campaign_id from prospects r join people p on p.id = r.person_id
    where r.id = any(${ids}::uuid[])`,
  ],
  send: [
    'outreach.send.read',
    (db, ids) => db`
    select s.id, coalesce(p.name, s.to_address) as title, null as key, s.campaign_id from sends s
    left join people p on p.id = s.person_id where s.id = any(${ids}::uuid[])`,
  ],
  domain: [
    'outreach.domain.read',
    (db, ids) => db`select id, name as title from domains where id = any(${ids}::uuid[])`,
  ],
  identity: [
    'outreach.identity.read',
    (db, ids) => db`
    select id, address as title from identities where id = any(${ids}::uuid[])`,
  ],
  thread: [
    'inbox.thread.read',
    (db, ids) => db`
    select t.id, coalesce(p.name, nullif(t.subject, ''), 'a conversation') as title, null as key, t.campaign_id from threads t
    left join people p on p.id = t.person_id where t.id = any(${ids}::uuid[]) and t.kind = 'conversation'`,
  ],
  item: [
    'work.item.read',
    (db, ids) => db`
    select i.id, i.title, p.key || '-' || i.number as key from work_items i join work_projects p on p.id = i.project_id
    where i.id = any(${ids}::uuid[])`,
  ],
  user: [
    'admin.user.read',
    (db, ids) => db`select id, name as title from users where id = any(${ids}::uuid[])`,
  ],
  token: [
    'admin.token.read',
    (db, ids) => db`select id, name as title from tokens where id = any(${ids}::uuid[])`,
  ],
};

export async function calledOf(
  db: Reader,
  { rights }: Caller,
  things: readonly Thing[],
): Promise<Map<string, Called>> {
  const asked = Object.entries(CALLED).flatMap(([noun, [, rows]]) => {
    const ids = [
      ...new Set(things.filter((it) => it.noun === noun && isUuid(it.id)).map(({ id }) => id.toLowerCase())),
    ];
    if (ids.length === 0) return [];
    const all = db`select ${noun} as noun, x ->> 'id' as id, x ->> 'key' as key, x ->> 'title' as title,
      x ->> 'campaign_id' as campaign_id from (select to_jsonb(y) as x from (${rows(db, ids)}) y) z`;
    return [all];
  });
  const [first, ...more] = asked;
  if (first === undefined) return new Map();
  const rows = await db<Row[]>`${more.reduce((all, part) => db`${all} union all ${part}`, first)}`;
  return new Map(
    rows
      .filter(({ noun, id, key, campaign_id }) => {
        const project = noun === 'item' && key !== null ? key.slice(0, key.lastIndexOf('-')) : null;
        const names = [
          `${NOUNS[noun]}/${id}`,
          ...(campaign_id === null ? [] : [`${NOUNS.campaign}/${campaign_id}`]),
          ...(project === null ? [] : [projectName(project)]),
        ];
        return onBoard(rights, project) && decide(rights, CALLED[noun]?.[0] ?? '', names).allowed;
      })
      .map(({ noun, id, key, title }) => [`${noun} ${id}`, { noun, id, key, title }]),
  );
}
