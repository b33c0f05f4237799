// The agent's side on an app after a quarter of work: what everyday jobs cost it in calls and tokens, that digests stay whole
// and go through indexes, and that every tool can be called from nothing but its own schema. At night the digests are asked
// at twenty times the size (test/long/digests.test.ts); `node bench/jobs.ts` prints the table of jobs.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import { openTestApp, type TestApp, type TokenClient } from '../support/app.ts';
import { openPlans, type Plans } from '../support/plans.ts';
import { asked, scansOf, tell } from './digests.ts';
import { doJobs, FAIR, jobsTable, median } from './jobs.ts';
import { metered } from './meter.ts';
import { seedApp, seededId, WORST } from './seed.ts';

let database: FreshDatabase;
let app: TestApp;
let agent: TokenClient;

beforeAll(async () => {
  database = await freshDatabase();
  app = await openTestApp({ database });
  await seedApp(app.sql, 5_000);
  agent = await app.token({ name: 'scout' });
});
afterAll(async () => {
  await app?.close();
  await database?.drop();
});

test('fourteen everyday jobs take a few calls and a few thousand tokens', async () => {
  const told = {
    person: 'p2@firm0.example',
    leaver: 'p7@firm0.example',
    file: FAIR,
    colleague: 'Ada Operator',
  };
  const done = await doJobs(() => metered(app.url, agent.value), told);
  expect(done.map(({ found }) => found)).toEqual([
    { review: expect.any(Number), paused: 'paused' },
    { domain: 'mail2.example', why: 'hard_bounces' },
    { status: 'in_review', approval_id: expect.any(String) },
    { planned: 40, created: 40 },
    { state: 'draft', proposal: 'waiting' },
    { held: expect.any(Number), person: expect.any(String), fix: expect.stringMatching(/\.$/) },
    { state: 'review', proposal: 'waiting' },
    { name: expect.stringContaining(' 2'), touches: 10 },
    { name: 'Museums 1', replied: 0, bounced: expect.any(Number) },
    { suppressed: 'unsubscribe' },
    { since: expect.stringMatching(/T00:00:00/), mine: expect.any(Number) },
    { note: true },
    { note: 'Too long: say what it changes for them.' },
    { overdue: expect.any(Number), to: app.admin.name },
  ]);
  const table = jobsTable(done);
  const [needs] = done;
  expect(needs).toMatchObject({ name: 'what needs me', calls: 1 });
  // Its sections, each with the first lines and their screens.
  expect(needs?.tokens, table).toBeLessThan(3_000);
  expect(median(done.map(({ calls }) => calls)), table).toBeLessThan(4);
  expect(median(done.map(({ chars }) => chars)), table).toBeLessThan(8_000);
  expect(median(done.map(({ tokens }) => tokens)), table).toBeLessThan(6_000);
  for (const { name, calls, tokens } of done)
    expect([name, calls <= 12, tokens < 10_000]).toEqual([name, true, true]);
});

test('every digest is whole JSON under 48,000 characters, and goes through no large table from end to end', async () => {
  const digests = await asked(app);
  for (const { name, chars } of await tell(agent, digests, 1))
    expect([name, chars < 48_000]).toEqual([name, true]);
  const plans: Plans = await openPlans('generic', database);
  try {
    expect(await scansOf(app, plans, digests)).toEqual([]);
  } finally {
    await plans.close();
  }
});

type Schema = {
  type?: string;
  enum?: unknown[];
  items?: Schema;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
};

/** What an agent has from a digest or an earlier answer; everything else is made from the schema alone. */
async function known(): Promise<Record<string, unknown>> {
  const { sql } = app;
  const id = (of: string, k: number) => seededId(sql, of, k);
  const [send] = await sql`
    select campaign_id, person_id, step_id from sends where state = 'review' order by id desc limit 1`;
  const [thread] = await sql`
    select id from threads t where waiting = 'us' and reading = 'neutral'
      and not exists (select from answers a where a.thread_id = t.id) order by waiting_since limit 1`;
  const { id: item_id, revision } = (
    await agent.tool('work_create', { project: 'OUT', title: 'A card', status: 'todo', again: true })
  ).json.item;
  return {
    item_id,
    revision,
    project: 'OUT',
    thread_id: thread?.['id'],
    campaign: send?.['campaign_id'],
    person_id: send?.['person_id'],
    step: 4,
    address: 'p9@firm0.example',
    method: 'GET',
    path: '/api/me',
    file: FAIR,
    script: 'return 1',
    prospect_id: await id('prospect', 3),
    approval_id: await id('approval', 2),
    segment: await id('segment', 1),
    people: [await id('person', 3)],
    answer_id: await id('answer', 1),
    fingerprint: 'f',
    provider: 'resend',
    message: 'Which cards are mine?',
    stage: 'contacted',
    domain: 'nobody.example',
  };
}

function made({ type, enum: values, items, anyOf }: Schema): unknown {
  if (values) return values[0];
  if (anyOf) return made(anyOf[0] ?? {});
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return 1;
  if (type === 'array') return [made(items ?? {})];
  if (type === 'object') return {};
  return 'Words';
}

/** A tool that a token without scopes is refused, or that asks what this app has not: by the gate's or the rule's own words. */
const REFUSED: Record<string, RegExp> = {
  approval_decide: /^an agent does not decide approvals/,
  answer_send: /cannot put letters on the wire/,
  letter_resend: /cannot put letters on the wire/,
  sequence_enrol: /cannot put letters on the wire/,
  webhook_register: /cannot put letters on the wire/,
  // A plan or an act: the schema can’t say that one of them is needed.
  propose: /^give either act/,
  run: /cannot run scripts/,
  chat: /no model is available yet/,
  // Of its two ways one alone may be given, which no schema of the dialect that clients read can say.
  outreach_verify_email: /give address, or addresses|address/,
  admin_request: /path not allowed/,
};

test('every tool is callable from its own schema: what is required, and known ids, are enough', async () => {
  const { tools } = (await agent.rpc('tools/list')).result as {
    tools: { name: string; inputSchema: Schema }[];
  };
  expect(tools.length).toBeGreaterThan(30);
  for (const { name, inputSchema } of tools) {
    // Fresh for each: what the one before changed is undone.
    const given = await known();
    const { properties = {}, required = [] } = inputSchema;
    const args = Object.fromEntries(required.map((key) => [key, given[key] ?? made(properties[key] ?? {})]));
    // Where nothing is required but something must be said, the first argument that is known says it.
    const first = Object.keys(properties).find((key) => !required.includes(key) && given[key] !== undefined);
    const tries = [args, ...(first !== undefined ? [{ ...args, [first]: given[first] }] : [])];
    const answers = [];
    for (const each of tries) answers.push(await agent.tool(name, each));
    for (const { text } of answers) expect(`${name}: ${text}`).not.toMatch(/something broke|no argument/);
    const wanted = REFUSED[name];
    const told =
      answers.find(({ isError }) => !isError) ?? answers.find(({ text }) => wanted?.test(text)) ?? answers[0];
    expect(`${name}: ${told?.isError ? told.text : 'answered'}`).toMatch(
      wanted ? new RegExp(`${wanted.source.replace(/^\^/, '')}|answered$`) : /answered$/,
    );
  }
});

test('the worst campaign is no accident of the seed', async () => {
  const [row] = await app.sql`
    select name from campaigns where id = ${await seededId(app.sql, 'campaign', WORST)}`;
  expect(row).toEqual({ name: 'Museums 1' });
});
