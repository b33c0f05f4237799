// The clock jumps: by hours and days ahead, as after a machine slept, and an hour back, as when it is set right. Nothing that
// is held happens twice, no letter leaves outside its hours, and what opens for a while is not open for longer.
import type { Socket } from 'node:net';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/kernel/clock.ts';
import { address, emit, pass, rows, setWebhook } from '../events/outbox.ts';
import { layDesk, openDesk, type Desk } from '../letters/desk.ts';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import type { Answer, PersonClient, TestApp } from '../support/app.ts';
import { receiver } from '../support/receiver.ts';
import { scriptedSmtp } from '../support/smtp.ts';

/** Two processes on one database, whose clocks are the same machine's. */
let database: FreshDatabase;
let app: TestApp;
let other: TestApp;

beforeAll(async () => {
  database = await freshDatabase();
  const shared = { database, masterKey: randomBytes(32), allowPrivate: true };
  app = await openDesk(shared);
  other = await openDesk({ ...shared, setUp: false });
});
afterAll(async () => {
  await other?.close();
  await app?.close();
  await database?.drop();
});

function jump(ms: number): void {
  app.clock.advance(ms);
  other.clock.advance(ms);
}

/** On to the next Wednesday at this hour, UTC. */
function toWednesday(hour: number): void {
  const now = app.clock.now();
  const at = new Date(now);
  at.setUTCHours(hour, 0, 0, 0);
  do at.setTime(at.getTime() + DAY_MS);
  while (at.getUTCDay() !== 3);
  jump(at.getTime() - now.getTime());
}

const elsewhere = (): Promise<number> => other.instance.jobs.run('letters');

/** A server that keeps its answer at this turn to itself, the first time. */
async function holding(turn: 'MAIL' | 'end') {
  let waits: Socket | null = null;
  const there = await scriptedSmtp({
    // Without pipelining nothing is behind the answer that is held.
    EHLO: '250 there',
    [turn]: [(socket: Socket) => void (waits = socket), '250 ok'],
  });
  return {
    there,
    held: () => expect.poll(() => waits !== null, { interval: 10 }).toBe(true),
    letGo: () => waits?.write('250 ok\r\n'),
    /** Letters whose end was written. */
    whole: () => there.received().split('\r\n.\r\n').length - 1,
  };
}

let minted = 0;
/** What only someone may do who said just now that it is them. */
const mintAs = (person: PersonClient): Promise<Answer> =>
  person.rest('POST', '/api/admin/tokens', { name: `held-${(minted += 1)}`, mode: 'user' });

const stateOf = async (desk: Desk): Promise<string> => (await desk.row())['state'];

describe.each([
  ['three hours', 3 * HOUR_MS],
  ['three days', 3 * DAY_MS],
])('%s ahead', (_, ms) => {
  test('while a letter is at its envelope: another process takes it, and the first does not end it', async () => {
    const { there, held, letGo, whole } = await holding('MAIL');
    const desk = await layDesk(app, { identity: { port: there.port } });
    const first = desk.send();
    await held();
    jump(ms);
    expect(await elsewhere()).toBe(1);
    expect(await stateOf(desk)).toBe('sent');
    letGo();
    await first;
    expect([await stateOf(desk), whole()]).toEqual(['sent', 1]);
    await there[Symbol.asyncDispose]();
  });

  test('while a letter waits for its answer: no one sends it again, and the answer still counts', async () => {
    const { there, held, letGo, whole } = await holding('end');
    const desk = await layDesk(app, { identity: { port: there.port } });
    const first = desk.send();
    await held();
    jump(ms);
    await elsewhere();
    expect(await stateOf(desk)).toBe('uncertain');
    letGo();
    await first;
    await elsewhere();
    expect([await stateOf(desk), whole()]).toEqual(['sent', 1]);
    await there[Symbol.asyncDispose]();
  });

  test('while an event is under way: the receiver sees it twice at most, under one id and alike', async () => {
    let answer: (() => void) | null = null;
    await using server = await receiver((response) => {
      const end = (): void => void response.writeHead(200).end();
      if (answer === null) answer = end;
      else end();
    });
    await app.sql`delete from event_deliveries`;
    await setWebhook(app, address(server));
    await emit(app);
    const first = pass(app);
    await expect.poll(() => server.arrived.length, { interval: 10 }).toBe(1);
    jump(ms);
    await pass(other);
    (answer as (() => void) | null)?.();
    await first;
    expect(server.arrived).toHaveLength(2);
    const [one, two] = server.arrived.map(
      ({ headers, body }) => `${String(headers['x-service-delivery'])} ${body.toString()}`,
    );
    expect(one).toBe(two);
    expect(await rows(app)).toMatchObject([{ state: 'delivered', attempts: 1 }]);
  });

  test('what opens for ten minutes is shut, and a session exists', async () => {
    const person = await app.person({ admin: true });
    const mint = () => mintAs(person);
    expect((await mint()).status).toBe(201);
    jump(ms);
    expect((await mint()).body.error.code).toBe('step_up_required');
    expect((await person.rest('GET', '/api/me')).status).toBe(200);
  });
});

test('a jump out of the hours in the middle of a letter stops it before its end, and it goes at the next hours', async () => {
  const { there, held, letGo, whole } = await holding('MAIL');
  const office = [{ days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' }];
  toWednesday(16);
  const columns = { windows: app.sql.json(office) };
  const desk = await layDesk(app, {
    identity: { port: there.port },
    timezone: 'UTC',
    campaign: { columns },
  });
  const sending = desk.send();
  await held();
  jump(3 * HOUR_MS);
  letGo();
  await sending;
  expect([await stateOf(desk), whole()]).toEqual(['scheduled', 0]);
  const { not_before } = await desk.row();
  expect([not_before.getUTCDay(), not_before.getUTCHours()]).toEqual([4, 9]);
  jump(11 * HOUR_MS);
  await desk.send();
  expect(whole()).toBe(0);
  jump(4 * HOUR_MS);
  await desk.send();
  expect([await stateOf(desk), whole()]).toEqual(['sent', 1]);
  await there[Symbol.asyncDispose]();
});

describe('an hour back', () => {
  test('a letter that was put off waits for its moment, and one that went does not go again', async () => {
    const there = await scriptedSmtp({ RCPT: ['450 4.7.1 come back later', '250 ok'] });
    const desk = await layDesk(app, { identity: { port: there.port } });
    await desk.send();
    const { not_before } = await desk.row();
    const tries = (): number => there.commands.filter((each) => each === 'RCPT').length;
    jump(-HOUR_MS);
    const look = async (): Promise<void> => {
      await desk.send();
      await elsewhere();
    };
    await look();
    jump(HOUR_MS + 20 * MINUTE_MS);
    await look();
    expect(await desk.row()).toMatchObject({ state: 'scheduled', not_before });
    expect(tries()).toBe(1);
    jump(MINUTE_MS + not_before.getTime() - app.clock.now().getTime());
    await look();
    expect(await stateOf(desk)).toBe('sent');
    jump(-HOUR_MS);
    await look();
    jump(2 * HOUR_MS);
    await look();
    expect(tries()).toBe(2);
    await there[Symbol.asyncDispose]();
  });

  test('while a letter is under way: no one takes it, and it goes once', async () => {
    const { there, held, letGo, whole } = await holding('MAIL');
    const desk = await layDesk(app, { identity: { port: there.port } });
    const first = desk.send();
    await held();
    jump(-HOUR_MS);
    expect(await elsewhere()).toBe(0);
    letGo();
    await first;
    // It was due later than now is, and starts when that comes.
    expect(whole()).toBe((await stateOf(desk)) === 'sent' ? 1 : 0);
    jump(HOUR_MS + MINUTE_MS);
    await desk.send();
    await elsewhere();
    expect([await stateOf(desk), whole()]).toEqual(['sent', 1]);
    await there[Symbol.asyncDispose]();
  });

  test('what opened for ten minutes is not open for an hour longer', async () => {
    const person = await app.person({ admin: true });
    const mint = () => mintAs(person);
    expect((await mint()).status).toBe(201);
    jump(-HOUR_MS);
    expect((await mint()).body.error.code).toBe('step_up_required');
    expect((await person.rest('GET', '/api/me')).status).toBe(200);
    await person.rest('POST', '/api/auth/step-up', { password: person.password });
    expect((await mint()).status).toBe(201);
    jump(HOUR_MS);
  });
});
