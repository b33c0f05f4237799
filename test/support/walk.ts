// Performs what digests propose, on a desk that no one needs afterwards: each line is done by whom it names, or rehearsed where
// it leaves the desk. What is refused, is already done, or writes to someone who opted out is a defect of the digest.
import { expect } from 'vitest';
import type { TestApp, TokenClient } from './app.ts';
import { somebody } from './letters.ts';
import type { RandomDesk } from './random-desk.ts';

type Next = {
  what: string;
  with: string;
  who: 'agent' | 'person' | 'wire';
  open_at?: string;
  sign_at?: string;
};

const O = '/api/admin/outreach';
const DESCRIBED = /^(\S+)(?: (\/\S+))?(?: (\{.*\}))?$/u;

/** What may be proposed again once it was done: it asks something outside, or there is more of the same. */
const AGAIN = [
  '/check',
  '/test',
  'work_claim',
  'outreach_verify_email',
  '/sends/approve',
  '/sends/resolve',
  '/notes',
];

export async function walk(app: TestApp, desk: RandomDesk, digests: [string, Record<string, unknown>][]) {
  const { wired } = desk;
  let walked = 0;
  for (const [name, args] of digests) {
    const done = new Set<string>();
    for (let round = 0; round < 12; round += 1) {
      const told = await desk.agent.tool(name, args);
      expect(told.isError, `${name}: ${told.text}`).toBe(false);
      const next = (told.json.next as Next[]).filter(({ with: step }) => !done.has(step));
      const [line] = next;
      if (!line) break;
      done.add(line.with);
      const performed = await perform(app, desk, wired, `${name}: ${line.with}`, line);
      walked += 1;
      if (!performed || isRead(line) || AGAIN.some((each) => line.with.includes(each))) continue;
      const after = (await desk.agent.tool(name, args)).json.next as Next[];
      expect(
        after.map(({ with: step }) => step),
        `${name} proposes what is done`,
      ).not.toContain(line.with);
    }
  }
  return walked;
}

const isRead = ({ with: step }: Next): boolean =>
  step.startsWith('GET ') || /_digest |_get |_search |approvals_inbox /.test(step);

async function perform(
  app: TestApp,
  desk: RandomDesk,
  wired: TokenClient,
  about: string,
  line: Next,
): Promise<boolean> {
  const [, first = '', path, told = '{}'] = DESCRIBED.exec(line.with) ?? [];
  const asked: Record<string, unknown> = JSON.parse(told.replaceAll('…', 'null')) as Record<string, unknown>;
  const given = await filled(app, desk, first, path ?? '', asked);
  if (given === null) return false;
  await notToWhomOptedOut(app, about, first, given);
  if (line.who !== 'agent')
    expect([about, line.sign_at ?? '']).toEqual([about, expect.stringMatching(/^http/)]);
  if (path === undefined) {
    const by = line.who === 'wire' ? wired : desk.agent;
    const answer = await by.tool(first, given);
    expect([about, answer.isError, answer.text]).toEqual([about, false, answer.text]);
    return given['dry_run'] !== true;
  }
  const by = line.who === 'agent' ? desk.agent : desk.person;
  const query = new URLSearchParams(Object.entries(given).map(([key, value]) => [key, String(value)]));
  const answer =
    first === 'GET' ? await by.rest('GET', `${path}?${query.toString()}`) : await by.rest(first, path, given);
  expect([about, answer.status, JSON.stringify(answer.body)]).toEqual([
    about,
    first === 'POST' && answer.status === 201 ? 201 : 200,
    JSON.stringify(answer.body),
  ]);
  return true;
}

/** With what only whoever acts can say; null: what it needs is outside this desk. */
async function filled(
  app: TestApp,
  desk: RandomDesk,
  first: string,
  path: string,
  asked: Record<string, unknown>,
): Promise<Record<string, unknown> | null> {
  const { person } = desk;
  const of = async (where: string): Promise<any> => (await person.rest('GET', where)).body;
  const given = { ...asked };
  if (first === 'sequence_enrol') {
    // Whom to enrol is the agent's to say: here someone new.
    const people = given['people'] ?? [(await somebody(app)).id];
    return { ...given, campaign: desk.campaigns[0]!.id, people, dry_run: true };
  }
  if (first === 'webhook_register' || path.endsWith('/no-human-review') || path.endsWith('/pool'))
    return null;
  if (path.endsWith('/sequence') && first === 'PUT') return null;
  for (const name of Object.keys(given).filter((key) => given[key] === null)) {
    if (name === 'text' || name === 'note') given[name] = 'Thank you.';
    else if (name === 'reading') given[name] = 'neutral';
    else if (name === 'decision') given[name] = 'approve';
    else if (name === 'sends') {
      const resolves = path.endsWith('/resolve');
      const { items } = await of(`${O}/sends?state=${resolves ? 'uncertain' : 'review'}&limit=1`);
      given[name] = items.map(({ id, fingerprint }: { id: string; fingerprint: string }) =>
        resolves ? id : { id, fingerprint },
      );
    } else if (name === 'outcome') given[name] = 'sent';
    else if (name === 'fingerprint' && first === 'answer_send') {
      const [answer] = await app.sql<{ thread_id: string }[]>`
        select thread_id from answers where id = ${given['answer_id'] as string}`;
      given[name] = (await of(`/api/threads/${answer!.thread_id}`)).draft.fingerprint;
    } else if (name === 'fingerprint')
      given[name] = (await of(path.replace('/approve', ''))).send.fingerprint;
    else if (name === 'revision' && path.includes('/approvals/'))
      given[name] = (await of(path.replace('/decide', ''))).approval.subject.revision;
    else if (name === 'revision')
      given[name] = Object.values((await of(path)) as Record<string, any>)[0].revision;
    else throw new Error(`no one says what ${name} of ${first} ${path} is`);
  }
  return given;
}

/** No draft, no answer and no verification goes to someone who is suppressed or unsubscribed. */
async function notToWhomOptedOut(
  app: TestApp,
  about: string,
  first: string,
  given: Record<string, unknown>,
): Promise<void> {
  if (!['answer_draft', 'answer_send', 'sequence_enrol'].includes(first)) return;
  const [answer] = given['answer_id']
    ? await app.sql<
        { thread_id: string }[]
      >`select thread_id from answers where id = ${given['answer_id'] as string}`
    : [];
  const thread = (given['thread_id'] as string | undefined) ?? answer?.thread_id ?? null;
  const people = (given['people'] as string[] | undefined) ?? [];
  const opted = await app.sql`
    select p.id from people p where (p.id = any(${people}::uuid[])
        or p.id = (select person_id from threads where id = ${thread}::uuid))
      and (exists (select from prospects r where r.person_id = p.id and r.stage = 'unsubscribed')
        or exists (select from person_addresses a join suppressions s on s.value_hash = a.hash
          where a.person_id = p.id and s.lifted_at is null))`;
  expect([about, opted.length]).toEqual([about, 0]);
  if (first !== 'answer_draft') return;
  const drafted = await app.sql`select from answers where thread_id = ${thread} and state = 'draft'`;
  expect([`${about} asks for a draft that is there`, drafted.length]).toEqual([
    `${about} asks for a draft that is there`,
    0,
  ]);
}

/** Every digest of a desk, with the arguments that it has. */
export function digestsOf(desk: RandomDesk): [string, Record<string, unknown>][] {
  const [campaign] = desk.campaigns;
  const [letter] = desk.letters;
  return [
    ['instance_digest', {}],
    ['campaign_digest', { campaign: campaign!.id }],
    ['sequence_digest', { campaign: campaign!.id }],
    ['held_digest', {}],
    ['sending_digest', {}],
    ['replies_digest', {}],
    ...desk.threads
      .slice(0, 3)
      .map((thread_id): [string, Record<string, unknown>] => ['thread_digest', { thread_id }]),
    ...(letter
      ? [['person_digest', { person_id: letter.person.id }] as [string, Record<string, unknown>]]
      : []),
    ['deals_digest', {}],
    ['work_digest', { project: desk.project.key }],
    ['activity_digest', {}],
  ];
}
