// A letter that failed is sent again by someone: the same letter to the same person, through every gate, and never the next one in its place.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/kernel/clock.ts';
import { WIRE_REQUIRED } from '../../src/kernel/sentences.ts';
import type { TestApp, TokenClient } from '../support/app.ts';
import { drop, scriptedSmtp } from '../support/smtp.ts';
import { layDesk, openDesk, type Desk } from './desk.ts';

const O = '/api/admin/outreach';
const REFUSED = { end: ['554 5.7.1 looks like spam', '250 2.0.0 taken'] };

let app: TestApp;
let plain: TokenClient;
let wire: TokenClient;
beforeAll(async () => {
  app = await openDesk();
  plain = await app.token();
  wire = await app.token({ scopes: { wire: true } });
});
afterAll(() => app?.close());

const id = (desk: Desk) => desk.letters[0]!.id;
const again = (desk: Desk, by: Pick<TokenClient, 'rest'> = app.admin, body = {}) =>
  by.rest('POST', `${O}/sends/${id(desk)}/resend`, body);
const prospect = async () => (await app.sql`select id, step_id, hold_by, ended, next_at from prospects`)[0]!;
const dateIn = async (): Promise<string> => {
  const [row] = await app.sql<{ bytes: Buffer }[]>`select bytes from send_bytes`;
  return /^Date: (.*)$/m.exec(row!.bytes.toString('latin1'))?.[1] ?? '';
};

describe('a letter that a server refused for what it says', () => {
  test('goes again to the same person, and the sequence goes on from it', async () => {
    await using there = await scriptedSmtp(REFUSED);
    const desk = await layDesk(app, { identity: { port: there.port }, campaign: { steps: [0, 3] } });
    await desk.send();
    const failed = await desk.row();
    expect(failed).toMatchObject({ state: 'failed', delivery: 'policy' });
    expect(await prospect()).toMatchObject({ step_id: desk.campaign.steps[1], hold_by: 'system' });
    const first = await dateIn();
    app.clock.advance(2 * DAY_MS);

    const done = await again(desk, app.admin, { note: 'The link is fixed.' });
    expect(done.status, JSON.stringify(done.body)).toBe(200);
    expect(done.body.send).toMatchObject({ state: 'scheduled', failed_reason: null, delivery: null });
    expect(await prospect()).toMatchObject({ step_id: desk.campaign.steps[0], hold_by: null, next_at: null });
    await desk.send();
    expect(await desk.row()).toMatchObject({
      state: 'sent',
      delivery: 'accepted',
      message_id: failed['message_id'],
      approved_fingerprint: failed['approved_fingerprint'],
    });
    expect(await dateIn()).not.toBe(first);
    expect((await prospect())['step_id']).toBe(desk.campaign.steps[1]);
    expect(there.commands.filter((each) => each === 'DATA')).toHaveLength(2);
    const { body } = await app.admin.rest('GET', `${O}/sends/${id(desk)}`);
    expect(body.history).toContainEqual(
      expect.objectContaining({
        kind: 'resent',
        details: expect.objectContaining({ failed: 'policy', note: 'The link is fixed.' }),
      }),
    );
  });

  test('is what release asks for before it goes on to the next letter', async () => {
    await using there = await scriptedSmtp(REFUSED);
    const desk = await layDesk(app, { identity: { port: there.port }, campaign: { steps: [0, 3] } });
    await desk.send();
    const { id: held } = await prospect();
    const read = await app.admin.rest('GET', `${O}/prospects/${held}`);
    expect(read.body.prospect.failed_send_id).toBe(id(desk));
    const refused = await app.admin.rest('POST', `${O}/prospects/${held}/release`, {});
    expect(refused.status).toBe(409);
    expect(refused.body.error).toMatchObject({
      message: expect.stringContaining('resend it'),
      details: { failed_send_id: id(desk) },
    });
    expect(await prospect()).toMatchObject({ hold_by: 'system' });
    const skipped = await app.admin.rest('POST', `${O}/prospects/${held}/release`, { skip_failed: true });
    expect(skipped.status).toBe(200);
    expect(await prospect()).toMatchObject({ hold_by: null, step_id: desk.campaign.steps[1] });
  });

  test('needs wire of every token, by every way in', async () => {
    await using there = await scriptedSmtp(REFUSED);
    const desk = await layDesk(app, { identity: { port: there.port } });
    await desk.send();
    const path = `${O}/sends/${id(desk)}/resend`;
    expect((await again(desk, plain)).body.error.message).toBe(WIRE_REQUIRED);
    for (const [tool, args] of [
      ['letter_resend', { send_id: id(desk) }],
      ['api_request', { method: 'POST', path, body: {} }],
    ] as const) {
      const { isError, text } = await plain.tool(tool, args);
      expect(isError, tool).toBe(true);
      expect(text, tool).toContain(WIRE_REQUIRED);
    }
    expect(await desk.row()).toMatchObject({ state: 'failed' });
    const sent = await wire.tool('letter_resend', { send_id: id(desk) });
    expect(sent.isError, sent.text).toBe(false);
    expect(await desk.row()).toMatchObject({ state: 'scheduled' });
  });

  test('meets its gates: nothing goes to whoever was suppressed meanwhile', async () => {
    await using there = await scriptedSmtp(REFUSED);
    const desk = await layDesk(app, { identity: { port: there.port } });
    await desk.send();
    await app.admin.rest('POST', `${O}/suppressions`, { address: (await desk.row())['to_address'] });
    expect((await again(desk)).status).toBe(200);
    await desk.send();
    expect(await desk.row()).toMatchObject({ state: 'held', hold_reason: 'suppressed' });
    expect(there.commands.filter((each) => each === 'DATA')).toHaveLength(1);
  });

  test('is not sent to whoever is out of the sequence, nor beside a later letter', async () => {
    await using there = await scriptedSmtp(REFUSED);
    const desk = await layDesk(app, { identity: { port: there.port }, campaign: { steps: [0, 3] } });
    await desk.send();
    const { id: held } = await prospect();
    await app.admin.rest('POST', `${O}/prospects/${held}/release`, { skip_failed: true });
    app.clock.advance(MINUTE_MS);
    await app.instance.jobs.run('stepping');
    expect((await again(desk)).body.error.message).toContain('next letter');
    expect(await desk.row()).toMatchObject({ state: 'failed' });
    await app.admin.rest('POST', `${O}/prospects/${held}/remove`, {});
    expect((await again(desk)).body.error.message).toContain('left the sequence');
  });
});

test('a letter that was put off for too long has a whole day again', async () => {
  await using there = await scriptedSmtp({ end: '451 4.3.0 not now' });
  const desk = await layDesk(app, { identity: { port: there.port } });
  const run = async (hours: number) => {
    for (let n = 0; n < hours * 2; n++) {
      await desk.send();
      app.clock.advance(HOUR_MS / 2);
    }
  };
  await run(30);
  expect(await desk.row()).toMatchObject({ state: 'failed', failed_reason: 'deferred_too_long' });
  expect((await again(desk)).status).toBe(200);
  await run(12);
  expect(await desk.row()).toMatchObject({ state: 'scheduled', waiting_for: 'retry' });
});

test('a letter of which no one knew goes again with the date of the day, by a person who may put letters on the wire', async () => {
  await using there = await scriptedSmtp({ end: [drop, '250 taken'] });
  const desk = await layDesk(app, { identity: { port: there.port } });
  await desk.send();
  expect(await desk.row()).toMatchObject({ state: 'uncertain' });
  const first = await dateIn();
  app.clock.advance(3 * DAY_MS);
  const path = `${O}/sends/${id(desk)}/resolve`;
  const own = await app.token();
  expect((await own.rest('POST', path, { outcome: 'not_sent' })).body.error.message).toBe(WIRE_REQUIRED);
  expect((await app.admin.rest('POST', path, { outcome: 'not_sent' })).status).toBe(200);
  await desk.send();
  expect(await desk.row()).toMatchObject({ state: 'sent' });
  expect(await dateIn()).not.toBe(first);
  expect((await again(desk)).status).toBe(409);
});

describe('many letters of which no one knows', () => {
  const many = async (outcome: 'sent' | 'not_sent') => {
    await using there = await scriptedSmtp({ end: drop });
    const desk = await layDesk(app, {
      people: 3,
      identity: { port: there.port },
      campaign: { steps: [0, 3] },
    });
    await desk.send();
    const sends = desk.letters.map((letter) => letter.id);
    expect(await app.sql`select distinct state from sends`).toEqual([{ state: 'uncertain' }]);
    await app.sql`update sends set state = 'sent', sent_at = ${app.clock.now()} where id = ${sends[2]!}`;
    const done = await app.admin.rest('POST', `${O}/sends/resolve`, {
      sends,
      outcome,
      note: 'Seen in Sent.',
    });
    return { desk, sends, done };
  };

  test('are settled at once as sent, and their people go on; each that is not uncertain is named', async () => {
    const { desk, sends, done } = await many('sent');
    expect(done.status, JSON.stringify(done.body)).toBe(200);
    expect(done.body.settled.map(({ id: each }: { id: string }) => each).toSorted()).toEqual(
      sends.slice(0, 2).toSorted(),
    );
    expect(done.body.refused).toEqual([
      { id: sends[2], code: 'conflict', sentence: expect.stringContaining('it was already sent') },
    ]);
    const places = await app.sql`
      select p.step_id from prospects p join sends s on s.prospect_id = p.id where s.id = any(${sends.slice(0, 2)})`;
    expect(places.map(({ step_id }) => step_id)).toEqual([desk.campaign.steps[1], desk.campaign.steps[1]]);
  });

  test('go again at once, and no agent says so', async () => {
    const { sends, done } = await many('not_sent');
    expect(done.body.settled.map(({ state }: { state: string }) => state)).toEqual([
      'scheduled',
      'scheduled',
    ]);
    const path = `${O}/sends/resolve`;
    for (const by of [plain, wire]) {
      const { isError, text } = await by.tool('api_request', {
        method: 'POST',
        path,
        body: { sends, outcome: 'sent' },
      });
      expect(isError).toBe(true);
      expect(text).toContain('only a person can say whether a letter was sent');
    }
    const twice = await app.admin.rest('POST', path, { sends: [sends[0], sends[0]], outcome: 'sent' });
    expect(twice.status).toBe(400);
  });
});
