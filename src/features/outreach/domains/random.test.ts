// Whatever is done to a domain, in whatever order: a pause ends by a resume alone, retiring ends everything, and the history
// of pauses says the same as the domain.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nameServer, type NameServer } from '../../../../test/support/dns.ts';
import { openTestApp, type TestApp } from '../../../../test/support/app.ts';
import { pauseDomain } from './state.store.ts';

const PATH = '/api/admin/outreach/domains';

let dns: NameServer;
let app: TestApp;
beforeAll(async () => {
  dns = await nameServer();
  app = await openTestApp({ dnsServer: dns.address });
});
afterAll(async () => {
  await app.close();
  await dns[Symbol.asyncDispose]();
});

const STEPS = [
  'pass',
  'fail',
  'unknown',
  'pause',
  'warden',
  'resume',
  'retire',
  'add_again',
  'cap',
  'hours',
] as const;
type Step = (typeof STEPS)[number];

type Model = {
  state: 'unverified' | 'active' | 'paused' | 'retired';
  by: 'person' | 'warden' | null;
  verified: boolean;
};

function after(model: Model, step: Step): Model {
  const { state, by, verified } = model;
  if (state === 'retired') return model;
  if (step === 'pass') return { state: state === 'paused' ? 'paused' : 'active', by, verified: true };
  if (step === 'retire') return { ...model, state: 'retired' };
  if (step === 'pause') return state === 'paused' ? model : { ...model, state: 'paused', by: 'person' };
  if (step === 'warden') return { ...model, state: 'paused', by: 'warden' };
  if (step === 'resume' && state === 'paused')
    return { state: verified ? 'active' : 'unverified', by: null, verified };
  return model;
}

async function take(step: Step, { id, name }: { id: string; name: string }): Promise<void> {
  const post = (path: string, body: object = {}) => app.admin.rest('POST', `${PATH}${path}`, body);
  const { database, clock } = app.instance.app;
  if (step === 'pause' || step === 'resume' || step === 'retire') await post(`/${id}/${step}`);
  if (step === 'add_again') expect((await post('', { name: name.toUpperCase() })).status).toBe(409);
  if (step === 'hours') app.clock.advance(2 * 3_600_000);
  if (step === 'cap') {
    const { revision } = (await app.admin.rest('GET', `${PATH}/${id}`)).body.domain;
    await app.admin.rest('PATCH', `${PATH}/${id}`, { revision, daily_cap: 500 });
  }
  if (step === 'warden') {
    const now = clock.now();
    const at = now.toISOString();
    const evidence = {
      window_start: at,
      window_end: at,
      sent: 9,
      count: 2,
      rate: null,
      threshold: 2,
      samples: [],
    };
    await database.transact((tx) =>
      pauseDomain(
        tx,
        (event, data) => database.emit(tx, event, data, now),
        id,
        { by: 'warden', reason: 'complaints', evidence },
        now,
      ),
    );
  }
  if (step === 'pass') {
    const { records } = (await app.admin.rest('GET', `${PATH}/${id}/records`)).body;
    for (const { name: at, value } of records) dns.says(at, { txt: [value] });
  }
  if (step === 'fail') dns.says(name, { txt: ['nothing of ours'] });
  if (step === 'unknown') dns.says(name, 'broken');
  if (['pass', 'fail', 'unknown'].includes(step)) await post(`/${id}/check`);
}

test('a pause ends by a resume alone, and what is retired stays so', async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...STEPS), { maxLength: 14 }), async (steps) => {
      const name = `random${++count}.example`;
      const made = await app.admin.rest('POST', PATH, { name, dkim_algorithm: 'ed25519' });
      const { id } = made.body.domain;
      let model: Model = { state: 'unverified', by: null, verified: false };
      let warned = 0;
      for (const step of steps) {
        if (step === 'warden' && model.state !== 'retired' && model.by !== 'warden') warned += 1;
        await take(step, { id, name });
        model = after(model, step);
        const { domain } = (await app.admin.rest('GET', `${PATH}/${id}`)).body;
        expect({ state: domain.state, by: domain.paused_by, verified: domain.verified_at !== null }).toEqual(
          model,
        );
        const { items } = (await app.admin.rest('GET', `${PATH}/${id}/evidence`)).body;
        expect(items.some((each: { resumed_at: string | null }) => each.resumed_at === null)).toBe(
          model.by !== null,
        );
        expect(domain.evidence !== null).toBe(model.by === 'warden');
      }
      const told =
        await app.sql`select 1 from event_deliveries where event = 'domain.paused' and body like ${`%${id}%`}`;
      expect(told).toHaveLength(warned);
    }),
    { numRuns: 25 },
  );
});
