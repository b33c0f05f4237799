// Name servers that never answer cost whom they are asked about: the check of another domain and the verification of another
// address don't wait for them.
import { afterAll, beforeAll, test } from 'vitest';
import { verificationPass } from '../../src/features/outreach/verification/pass.ts';
import { nameServer, type NameServer } from '../support/dns.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { aCampaign, aDesk, enrolled, somebody } from '../support/letters.ts';

/** In turns of ten and of four both would take minutes. */
const SOON_MS = 15_000;

let dns: NameServer;
let app: TestApp;
beforeAll(async () => {
  dns = await nameServer();
  app = await openTestApp({ dnsServer: dns.address, lookup: dns.lookup });
});
afterAll(async () => {
  await app?.close();
  await dns?.[Symbol.asyncDispose]();
});

const until = async (met: () => Promise<boolean>, what: string): Promise<void> => {
  const from = performance.now();
  while (!(await met())) {
    if (performance.now() - from > SOON_MS) throw new Error(what);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

test(
  'twelve domains whose name servers are silent keep no other from being checked',
  { timeout: 60_000 },
  async () => {
    const { sql, clock } = app;
    const silent = Array.from({ length: 12 }, (_, n) => `silent${n}.example`);
    for (const name of silent)
      for (const at of [name, `s1._domainkey.${name}`, `_dmarc.${name}`]) dns.says(at, 'silent');
    for (const name of silent) await aDesk(app, name);
    await sql`update domains set next_check_at = ${new Date(clock.now().getTime() - 60_000)}`;
    const { domain_id } = await aDesk(app, 'answers.example');
    await sql`update domains set checked_at = null, next_check_at = ${clock.now()} where id = ${domain_id}`;
    void app.instance.jobs.run('domain_checks').catch(() => 0);
    await until(
      async () =>
        (await sql`select 1 from domains where id = ${domain_id} and checked_at is not null`).length > 0,
      'the domain was not checked',
    );
  },
);

test(
  'forty addresses of a silent domain keep no other from being verified',
  { timeout: 60_000 },
  async () => {
    const { sql } = app;
    dns.says('acme.example', 'silent');
    dns.says('prompt.example', 'nothing');
    const campaign = await aCampaign(app, await aDesk(app));
    for (let n = 0; n < 40; n += 1) await enrolled(app, campaign, await somebody(app));
    const other = await somebody(app, 'Ann Prompt');
    // Last in the order in which they are taken.
    const hash = `~${other.hash}`;
    await sql`update person_addresses set normalised = 'ann@prompt.example', domain = 'prompt.example', hash = ${hash}
    where person_id = ${other.id}`;
    await enrolled(app, campaign, { ...other, hash });
    void app.instance.jobs.run(verificationPass.name).catch(() => 0);
    await until(
      async () =>
        (await sql`select 1 from verifications where address_hash = ${hash} and lease is null`).length > 0,
      'the address was not verified',
    );
  },
);
