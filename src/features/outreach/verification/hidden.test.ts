// Checks that whoever may not read someone learns nothing of them by asking about their address, or by a list with it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type NameServer, nameServer } from '../../../../test/support/dns.ts';
import { openTestApp, type PersonClient, type TestApp } from '../../../../test/support/app.ts';
import { aCampaign, aDesk, aLetter, O } from '../../../../test/support/letters.ts';

let dns: NameServer;
let app: TestApp;
let hidden: { id: string; address: string; hash: string };
let by: PersonClient;

beforeAll(async () => {
  dns = await nameServer();
  dns.says('acme.example', { mx: [[10, 'mx.acme.example']] });
  dns.says('mx.acme.example', { addresses: ['127.0.0.1'] });
  app = await openTestApp({ dnsServer: dns.address, lookup: dns.lookup, allowHosts: 'mx.acme.example' });
  const { person, send_id } = await aLetter(app, await aCampaign(app, await aDesk(app)));
  await app.sql`insert into send_outcomes (id, key, send_id, kind, source, recipient_hash, at, received_at)
    values (gen_random_uuid(), ${send_id}, ${send_id}, 'delivered', 'report', ${person.hash}, now(), now())`;
  hidden = person;
  await app.admin.rest('POST', '/api/admin/policies', {
    name: 'all-but-one',
    version: 1,
    statements: [
      { effect: 'allow', actions: ['crm.*', 'outreach.*'], resources: ['*'] },
      { effect: 'deny', actions: ['crm.person.*'], resources: [`crm:person/${person.id}`] },
    ],
  });
  by = await app.person({ policies: ['all-but-one'] });
});
afterAll(async () => {
  await app?.close();
  await dns?.[Symbol.asyncDispose]();
});

async function asked(address: string): Promise<string> {
  const answer = await by.rest('POST', `${O}/verify`, { addresses: [address] });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const { checked_at: _c, expires_at: _e, unknown: _u, rungs, ...said } = answer.body.results[0];
  return JSON.stringify([said, rungs.map(({ ms: _ms, ...rung }: any) => rung)]).replaceAll(address, 'it');
}

test.each(['before anybody asked', 'once its verdict is kept'])(
  'hole B2: the address of somebody hidden is answered as one of nobody, %s',
  async (when) => {
    if (when !== 'before anybody asked') {
      const known = await app.admin.rest('POST', `${O}/verify`, { addresses: [hidden.address] });
      expect(known.body.results[0]).toMatchObject({ verdict: 'DELIVERABLE', reason: 'history' });
    }
    expect(await asked(hidden.address)).toBe(await asked(`nobody.${when.length}@acme.example`));
    const [row] = await app.sql`select verdict from person_addresses where hash = ${hidden.hash}`;
    expect(row?.['verdict'] ?? null).toBe(when === 'before anybody asked' ? null : 'DELIVERABLE');
  },
);

test.each(['skip', 'update'])(
  'hole B2: a list with it says that it is taken, and no more: %s',
  async (on_duplicate) => {
    const file = `Email,Name\n${hidden.address},Dana Roe\n`;
    const plan = await by.rest('POST', '/api/admin/crm/people/import', { file, on_duplicate });
    expect(plan.status, JSON.stringify(plan.body)).toBe(200);
    expect(plan.body.totals).toMatchObject({ create: 0, update: 0, skip: 1 });
    expect(plan.body.examples.skip[0]).toMatchObject({
      person_id: null,
      reason: 'someone already has this address',
    });
    expect(JSON.stringify(plan.body)).not.toContain(hidden.id);
  },
);
