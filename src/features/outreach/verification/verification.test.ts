// Verifying through the entry points: what DNS and our own network say, what is kept, who may ask how much, and that a real letter
// needs wire on every route.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addressHash } from '../../../mail/address.ts';
import { type NameServer, nameServer } from '../../../../test/support/dns.ts';
import { openTestApp, type TestApp } from '../../../../test/support/app.ts';
import { aCampaign, aDesk, aLetter, O, readSend, somebody } from '../../../../test/support/letters.ts';
import { verificationPass } from './pass.ts';

let dns: NameServer;
let app: TestApp;

beforeAll(async () => {
  dns = await nameServer();
  dns.says('nobody.example', 'nothing');
  dns.says('null.example', { mx: [[0, '']] });
  dns.says('broken.example', 'broken');
  dns.says('acme.example', { mx: [[10, 'mx.acme.example']] });
  // No one listens there.
  dns.says('mx.acme.example', { addresses: ['127.0.0.1'] });
  app = await openTestApp({ dnsServer: dns.address, lookup: dns.lookup, allowHosts: 'mx.acme.example' });
});

afterAll(async () => {
  await app?.close();
  await dns?.[Symbol.asyncDispose]();
});

const verify = async (addresses: string[], by: Pick<TestApp['admin'], 'rest'> = app.admin) =>
  by.rest('POST', `${O}/verify`, { addresses });

describe('a check', () => {
  test('answers in the order of asking, one verdict for each, with its account and a sentence', async () => {
    const answer = await verify(['not an address', 'a@nobody.example', 'a@null.example', 'a@broken.example']);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(
      answer.body.results.map(({ address, verdict, reason }: any) => [address, verdict, reason]),
    ).toEqual([
      ['not an address', 'UNDELIVERABLE', 'syntax'],
      ['a@nobody.example', 'UNDELIVERABLE', 'domain_absent'],
      ['a@null.example', 'UNDELIVERABLE', 'no_mail_host'],
      ['a@broken.example', 'UNKNOWN', 'dns_unavailable'],
    ]);
    for (const { sentence, rungs } of answer.body.results) {
      expect(sentence).toMatch(/^[A-Z].*\.$/);
      expect(rungs).toHaveLength(9);
    }
  });

  test('that could not reach the network is UNKNOWN, told apart from an absent mailbox, and kept for six hours', async () => {
    const { id, address, hash } = await somebody(app);
    const [first] = (await verify([address])).body.results;
    expect(first).toMatchObject({ verdict: 'UNKNOWN', person_id: id, kept: false });
    expect(first.reason).not.toBe('mailbox_absent');
    expect(first.rungs.find(({ rung }: any) => rung === 'connect')).toMatchObject({ outcome: 'unknown' });
    expect(first.rungs.find(({ rung }: any) => rung === 'rcpt')).toMatchObject({ outcome: 'skipped' });
    const asked = dns.asked.length;
    const [again] = (await verify([` ${address.toUpperCase().replace('DANA', 'dana')}`])).body.results;
    expect(again).toMatchObject({ verdict: 'UNKNOWN', kept: true, checked_at: first.checked_at });
    expect(dns.asked).toHaveLength(asked);
    const [row] = await app.sql<
      any[]
    >`select verdict, verdict_reason from person_addresses where hash = ${hash}`;
    expect(row).toEqual({ verdict: 'UNKNOWN', verdict_reason: first.reason });
    expect(Date.parse(first.expires_at) - Date.parse(first.checked_at)).toBe(6 * 3_600_000);
  });

  test('follows what a real letter met rather than asking strangers', async () => {
    const campaign = await aCampaign(app, await aDesk(app));
    const { person, send_id } = await aLetter(app, campaign);
    await app.sql`insert into send_outcomes (id, key, send_id, kind, source, recipient_hash, at, received_at)
      values (gen_random_uuid(), ${send_id}, ${send_id}, 'delivered', 'report', ${person.hash}, now(), now())`;
    const [result] = (await verify([person.address])).body.results;
    expect(result).toMatchObject({ verdict: 'DELIVERABLE', reason: 'history' });
    expect(result.rungs.find(({ rung }: any) => rung === 'connect').outcome).toBe('skipped');
  });

  test('that comes to nothing never replaces a verdict: it is beside it with its time, here, on the person and at the gates', async () => {
    const { id, address, hash } = await somebody(app);
    const known = { verdict: 'DELIVERABLE', reason: 'accepted' };
    const before = new Date(app.clock.now().getTime() - 40 * 86_400_000);
    await app.sql`update person_addresses set verdict = 'DELIVERABLE', verdict_reason = 'accepted', rungs = '[]',
      verified_at = ${before} where hash = ${hash}`;
    await app.sql`insert into verifications (address_hash, domain, verdict, reason, rungs, checked_at, expires_at)
      values (${hash}, 'acme.example', 'DELIVERABLE', 'accepted', '[]', ${before}, ${app.clock.now()})`;
    // Port 25 is closed.
    const first = (await verify([address])).body.results[0];
    const unknown = { at: expect.any(String), reason: expect.any(String) };
    expect(first).toMatchObject({ ...known, checked_at: before.toISOString(), unknown, kept: false });
    expect(first.unknown.sentence).toMatch(/^[A-Z].*\.$/);
    const again = (await verify([address])).body.results[0];
    expect(again).toMatchObject({ ...known, checked_at: before.toISOString(), unknown, kept: true });
    const { person } = (await app.admin.rest('GET', `/api/admin/crm/people/${id}`)).body;
    expect(person.addresses[0].verification).toMatchObject({ ...known, unknown });
    expect(person.addresses[0].verification.unknown.at).toBe(first.unknown.at);
    // Of an address whose verdict only the person has.
    await app.sql`delete from verifications where address_hash = ${hash}`;
    expect((await verify([address])).body.results[0]).toMatchObject(known);
    const [row] = await app.sql`select verdict from person_addresses where hash = ${hash}`;
    expect(row).toEqual({ verdict: 'DELIVERABLE' });
  });

  test('never overwrites what was learned of the mailbox since', async () => {
    const { address, hash } = await somebody(app);
    const later = new Date(app.clock.now().getTime() + 60_000);
    await app.sql`update person_addresses set verdict = 'UNDELIVERABLE', verdict_reason = 'hard_bounce', rungs = '[]',
      verified_at = ${later} where hash = ${hash}`;
    await verify([address]);
    const [row] = await app.sql<any[]>`select verdict from person_addresses where hash = ${hash}`;
    expect(row.verdict).toBe('UNDELIVERABLE');
  });

  test('of addresses of no one here is counted: 300 an hour for each caller, and others are not in the way', async () => {
    const token = await app.token();
    const fifty = (n: number) => Array.from({ length: 50 }, (_, at) => `s${n}.${at}@nobody.example`);
    for (let n = 0; n < 6; n += 1) expect((await verify(fifty(n), token)).status).toBe(200);
    const asked = dns.asked.length;
    const refused = await verify(['one.more@nobody.example'], token);
    expect(refused.status).toBe(429);
    expect(dns.asked).toHaveLength(asked);
    const { address } = await somebody(app);
    expect((await verify([address], token)).status).toBe(200);
    expect((await verify(['one.more@nobody.example'])).status).toBe(200);
    app.clock.advance(3_601_000);
    expect((await verify(['two.more@nobody.example'], token)).status).toBe(200);
  });
});

describe('a real letter', () => {
  const letter = { subject: 'Your talk in Ghent', text: 'Dear Dana' };

  test('needs wire on every route, and without it nothing is written', async () => {
    const token = await app.token();
    const { identity_id } = await aDesk(app);
    const { address } = await somebody(app);
    const send = { addresses: [address], action: 'send', identity_id, ...letter };
    const rest = await token.rest('POST', `${O}/verify`, send);
    expect([rest.status, rest.body.error.code]).toEqual([403, 'wire_required']);
    for (const [name, args] of [
      ['outreach_verify_email', send],
      ['admin_request', { method: 'POST', path: `${O}/verify`, body: send }],
      ['api_request', { method: 'POST', path: `${O}/verify`, body: send }],
    ] as const) {
      const answer = await token.tool(name, args);
      expect(answer.isError, name).toBe(true);
      expect(answer.text).toContain('wire');
    }
    const [row] = await app.sql<
      any[]
    >`select count(*)::int as n from sends where to_hash = ${addressHash(address)}`;
    expect(row.n).toBe(0);
    expect((await token.tool('outreach_verify_email', { address })).isError).toBe(false);
  });

  test('with wire is a single letter, approved by who asked, that meets every gate', async () => {
    const token = await app.token({ scopes: { wire: true } });
    const { identity_id } = await aDesk(app);
    const { address, id } = await somebody(app);
    const answer = await token.tool('outreach_verify_email', {
      address,
      action: 'send',
      identity_id,
      ...letter,
    });
    expect(answer.isError, answer.text).toBe(false);
    const [result] = answer.json.results;
    expect(result).toMatchObject({ person_id: id, reason: 'not_asked_yet' });
    expect(result.rungs.at(-1)).toMatchObject({ rung: 'sent', outcome: 'unknown' });
    const { send } = await readSend(app.admin, result.send_id);
    expect(send).toMatchObject({ kind: 'one_off', state: 'scheduled', to: address });
    expect(send.approved_by.name).toBe(token.name);
  });

  test('goes to people alone, and says every field that it lacks', async () => {
    const { identity_id } = await aDesk(app);
    const stranger = { addresses: ['x@acme.example'], action: 'send', identity_id, ...letter };
    expect((await app.admin.rest('POST', `${O}/verify`, stranger)).status).toBe(404);
    const bare = await app.admin.rest('POST', `${O}/verify`, {
      addresses: ['x@acme.example'],
      action: 'send',
    });
    expect(bare.status).toBe(400);
    expect(Object.keys(bare.body.error.fields ?? bare.body.error.details?.fields ?? {})).toEqual([
      'identity_id',
      'subject',
      'text',
    ]);
  });
});

test('the pass verifies whom an active campaign is about to write to, once, and leaves others alone', async () => {
  const campaign = await aCampaign(app, await aDesk(app));
  const { person } = await aLetter(app, campaign);
  const other = await somebody(app);
  await app.sql`update campaigns set state = 'active', activated_at = now() where id = ${campaign.id}`;
  await app.instance.jobs.run(verificationPass.name);
  const verdictOf = async (hash: string) =>
    (await app.sql<any[]>`select verdict, verdict_reason from person_addresses where hash = ${hash}`)[0];
  expect(await verdictOf(person.hash)).toMatchObject({ verdict: 'UNKNOWN' });
  expect((await verdictOf(other.hash)).verdict).toBeNull();
  const [kept] = await app.sql<
    any[]
  >`select lease, retry_at from verifications where address_hash = ${person.hash}`;
  expect(kept).toEqual({ lease: null, retry_at: null });
  const asked = dns.asked.length;
  await app.instance.jobs.run(verificationPass.name);
  expect(dns.asked).toHaveLength(asked);
});
