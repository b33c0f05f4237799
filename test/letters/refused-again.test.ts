// A letter over which its identity was held, and which is refused again once that was fixed: it fails on its own, and holds the
// identity no second time.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestApp } from '../support/app.ts';
import { scriptedSmtp, smtpSink } from '../support/smtp.ts';
import { type Desk, layDesk, openDesk } from './desk.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openDesk();
});
afterAll(() => app?.close());

const done = async (path: string, body: unknown = {}) => {
  const answer = await app.admin.rest('POST', path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
};
const troubleOf = async ({ identity: { id } }: Desk) =>
  (await app.sql`select trouble from identities where id = ${id}`)[0]?.['trouble'];
const states = async () => (await app.sql`select state from sends order by state`).map(({ state }) => state);

/** Someone says that it is fixed, and the letters are taken up again. */
async function mended(desk: Desk): Promise<void> {
  const path = `/api/admin/outreach/identities/${desk.identity.id}`;
  const { body } = await app.admin.rest('GET', path);
  await done(`${path}/activate`, { seen: body.identity.seen });
  expect(await troubleOf(desk)).toBeNull();
  await app.instance.jobs.run('letters_recheck');
  await desk.send();
}

test('fails, and the others go', async () => {
  let refused = '';
  await using there = await smtpSink({ refuses: (_, to) => (to === refused ? '550 Rejected' : null) });
  const desk = await layDesk(app, { people: 3, identity: { port: there.port } });
  refused = desk.letters[0]!.person.address;
  await desk.send();
  expect(await desk.row()).toMatchObject({ state: 'held', hold_reason: 'transport_refused' });
  expect(await troubleOf(desk)).toBe('refused');

  await mended(desk);
  expect(await desk.row()).toMatchObject({ state: 'failed', failed_reason: 'policy', delivery: 'policy' });
  expect(await troubleOf(desk)).toBeNull();
  expect(await states()).toEqual(['failed', 'sent', 'sent']);
  expect(await app.sql`select from suppressions`).toHaveLength(0);
  // Sent again by a person it is as if nothing had been said.
  app.clock.advance(60_000);
  await done(`/api/admin/outreach/sends/${desk.letters[0]!.id}/resend`);
  await desk.send();
  expect(await desk.row()).toMatchObject({ state: 'held' });
  expect(await troubleOf(desk)).toBe('refused');
});

test.each([
  [
    'of its sender in so many words',
    { RCPT: '553 5.7.1 Sender address rejected: not owned by user ada' },
    'sender_refused',
  ],
  ['of how much is sent', { RCPT: '550 5.7.1 Too many messages per hour' }, 'quota'],
])('but not by what is said %s', async (_, script, trouble) => {
  await using there = await scriptedSmtp(script);
  const desk = await layDesk(app, { identity: { port: there.port } });
  await desk.send();
  expect(await troubleOf(desk)).toBe(trouble);
  await mended(desk);
  expect(await desk.row()).toMatchObject({ state: 'held', hold_reason: 'transport_refused' });
  expect(await troubleOf(desk)).toBe(trouble);
});
