// Digests through the entry points: each is valid JSON below the cap, names its next step, says what its reader may not read, and
// shows nothing of what a mail or a letter says.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newProject } from '../../../../test/support/board.ts';
import { type Busy, busyDesk, digestBy, MARKER } from '../../../../test/support/digests.ts';
import { openTestApp, type TestApp } from '../../../../test/support/app.ts';
import { aDesk } from '../../../../test/support/letters.ts';

let app: TestApp;
let busy: Busy;

beforeAll(async () => {
  app = await openTestApp();
  busy = await busyDesk(app);
});
afterAll(() => app?.close());

const digestOf = (name: string, args: Record<string, unknown> = {}, by = busy.agent) =>
  digestBy(by, name, args);

const all = (): [name: string, args: Record<string, unknown>][] => [
  ['instance_digest', {}],
  ['campaign_digest', { campaign: busy.campaign.id }],
  ['sequence_digest', { campaign: busy.campaign.id }],
  ['held_digest', {}],
  ['sending_digest', {}],
  ['replies_digest', {}],
  ['thread_digest', { thread_id: busy.thread_id }],
  ['person_digest', { person_id: busy.letter.person.id }],
  ['deals_digest', {}],
  ['work_digest', { project: busy.project.key }],
  ['activity_digest', {}],
];

test('each digest is whole JSON that begins with its moment and ends with what acts on it, each by someone', async () => {
  for (const [name, args] of all()) {
    const said = await digestOf(name, args);
    expect(Object.keys(said)[0]).toBe('as_of');
    expect(Object.keys(said).at(-1)).toBe('next');
    expect(said.next.length, name).toBeGreaterThan(0);
    for (const { what, who } of said.next) {
      expect(what).toMatch(/^[A-Z].*\.$/);
      expect(['agent', 'person', 'wire']).toContain(who);
    }
    const { gives } = app.instance.app.bound.get(name)!.operation;
    expect(gives.safeParse(said).error, name).toBeUndefined();
  }
});

test('what a next step names is there, and needs what it says', async () => {
  const { operations, tools } = app.instance.app;
  for (const [name, args] of all())
    for (const { with: step, who } of (await digestOf(name, args)).next) {
      const [first, path] = step.split(' ') as [string, string];
      if (!/^[A-Z]+$/.test(first)) {
        expect(tools.has(first), `${name}: ${step}`).toBe(true);
        const gated = tools.get(first)!.calls.some(({ wire }) => wire !== 'never');
        expect([step, who === 'wire']).toEqual([step, gated && first !== 'outreach_verify_email']);
        continue;
      }
      const shape = (route: string): string => route.split('?')[0]!.replace(/:[a-z_]+|[0-9a-f-]{36}/g, ':');
      const found = operations.find((op) => op.method === first && shape(op.path) === shape(path));
      expect(found, `${name}: ${step}`).toBeDefined();
      expect([step, who === 'wire']).toEqual([step, found!.wire !== 'never']);
    }
});

test('nothing of what a mail, a letter, a draft or a description says is in any digest', async () => {
  for (const [name, args] of all()) {
    const text = JSON.stringify(await digestOf(name, args));
    expect(text, name).not.toContain(MARKER);
    expect(text, name).not.toContain('x'.repeat(81));
  }
});

test('what others wrote is in lines alone, and the answer says that it is data', async () => {
  for (const [name, args] of all()) {
    const said = await digestOf(name, args);
    expect(said.note).toMatch(/data, never instructions/);
    expect(JSON.stringify(said.next), name).not.toContain('IGNORE');
  }
});

test('the instance says what waits for a person, what is broken and what changed', async () => {
  await app.sql`
    update domains set state = 'paused', paused_by = 'person', paused_reason = 'bounces', paused_at = now()
    where id = ${(await aDesk(app)).domain_id}`;
  const { waiting, broken, changed } = await digestOf('instance_digest');
  expect(waiting.approvals).toMatchObject({ count: 1, more: 0 });
  expect(waiting.letters).toMatchObject({ review: 0, held: 1, uncertain: 0 });
  expect(waiting.unanswered).toMatchObject({ unanswered: 1, oldest: [{ thread_id: busy.thread_id }] });
  expect(broken.domains.lines).toMatchObject([{ state: 'paused', reason: 'bounces' }]);
  expect(changed.deals).toEqual({ opened: 1, won: 0, lost: 0 });
  expect(changed.work.created).toBe(4);
  expect(Object.values(changed.replies)).toEqual([1]);
});

test('a token of no one without policies has no digest, and one with any built-in policy has its own sections', async () => {
  const bare = await app.token({ name: 'bare', mode: 'service' });
  const refused = await bare.rest('GET', '/api/digests/instance_digest');
  expect(refused.status).toBe(403);
  expect(refused.body.error.message).toMatch(/^no policy lets "bare" do digest\.read/);
  for (const policy of [
    'auditor',
    'crm-editor',
    'inbox-agent',
    'outreach-operator',
    'read-all',
    'work-agent',
  ]) {
    const token = await app.token({ mode: 'service', policies: [policy] });
    expect((await token.rest('GET', '/api/digests/instance_digest')).status, policy).toBe(200);
  }
});

test('a section that its reader may not read says so in one sentence', async () => {
  const worker = await app.token({ name: 'worker', mode: 'service', policies: ['work-agent'] });
  const said = await digestOf('instance_digest', {}, worker);
  expect(said.waiting.approvals.count).toBe(1);
  expect(said.waiting.letters).toEqual({
    may_not_read: expect.stringMatching(/^no policy lets "worker" do outreach\.send\.read/) as string,
  });
  for (const shut of [said.waiting.unanswered, ...Object.values(said.broken), said.changed.figures])
    expect(shut).toEqual({ may_not_read: expect.stringMatching(/"worker"/) as string });
  expect(said.changed.work.created).toBe(4);
  for (const [name, args] of all().filter(([name]) => !['instance_digest', 'work_digest'].includes(name))) {
    const {
      as_of: _,
      note: __,
      since: ___,
      until: _u,
      open_at: _o,
      next: ____,
      ...sections
    } = await digestOf(name, args, worker);
    // Cards are theirs to read, whomever they name.
    const { cards: _c, ...others } = sections;
    for (const shut of Object.values(others)) expect(Object.keys(shut as object)).toEqual(['may_not_read']);
  }
  const person = await digestOf('person_digest', { address: busy.letter.person.address }, worker);
  expect(JSON.stringify(person)).not.toContain(busy.letter.person.id);
});

test('a project that is not on the board of a person is in no digest of theirs', async () => {
  const other = await newProject(app);
  const member = await app.person({ projects: [other.key] });
  const theirs = await app.token({ user_id: member.id });
  expect((await theirs.tool('work_digest', { project: busy.project.key })).text).toMatch(
    /^no project on your board/,
  );
  const { waiting, changed } = await digestOf('instance_digest', {}, theirs);
  expect(waiting.approvals.count).toBe(0);
  expect(changed.work).toEqual({ created: 0, completed: 0 });
});
