// An instance beside a mail vendor on loopback: its key saved, its webhook registered, and letters as the vendor knows them.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { SEND_TAG } from '../../src/mail/vendor/resend-events.ts';
import { openTestApp, type Answer, type TestApp, type TokenClient } from './app.ts';
import { aCampaign, aDesk, type TestCampaign } from './letters.ts';
import { type ResendStub, resendStub, type VendorLetter } from './resend.ts';
import type { SentLetter } from './sent.ts';

export const KEY = 're_0123456789abcdefghij';
export const KEYS = '/api/admin/providers/resend';
export const WEBHOOK = '/api/admin/outreach/vendor/webhook';

export type VendorApp = {
  app: TestApp;
  vendor: ResendStub;
  wire: TokenClient;
  campaign: TestCampaign;
  saveKey(api_key?: string, base_url?: string): Promise<Answer>;
  /** Registers, and leads the vendor's posts here: the instance's own name is none that resolves. */
  registered(): Promise<void>;
  /** What the hook and the warden write. */
  everything(): Promise<string>;
  deliveryOf(letter: SentLetter): Promise<string | null | undefined>;
  reasonsOn(letter: SentLetter): Promise<string[]>;
  close(): Promise<void>;
};

export async function openVendorApp(): Promise<VendorApp> {
  const app = await openTestApp({ allowHosts: '127.0.0.1', baseUrl: 'https://desk.example' });
  const vendor = await resendStub(() => app.clock.now());
  const wire = await app.token({ scopes: { wire: true } });
  const campaign = await aCampaign(app, await aDesk(app));
  const saveKey = (api_key = KEY, base_url = vendor.url) =>
    wire.rest('PUT', `${KEYS}/keys`, { keys: { api_key }, base_url });
  return {
    app,
    vendor,
    wire,
    campaign,
    saveKey,
    async registered() {
      await saveKey();
      const answer = await wire.rest('POST', WEBHOOK, { provider: 'resend' });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      for (const each of vendor.webhooks) each.endpoint = `${app.url}/hooks/vendor/resend`;
    },
    async everything() {
      return JSON.stringify(
        await app.sql`
          select (select json_agg(e order by e.id) from send_outcomes e) as events,
            (select json_agg(v order by v.event_id) from vendor_events v) as vendor_events,
            (select json_agg(s order by s.id) from suppressions s) as suppressions,
            (select json_agg(d order by d.id) from domains d) as domains,
            (select json_agg(s order by s.id) from sends s) as sends`,
      );
    },
    async deliveryOf({ id }) {
      const [row] = await app.sql<{ delivery: string | null }[]>`
        select delivery from sends where id = ${id}`;
      return row?.delivery;
    },
    async reasonsOn({ person }) {
      const rows = await app.sql<{ reason: string }[]>`
        select reason from suppressions where value_hash = ${person.hash}`;
      return rows.map(({ reason }) => reason);
    },
    async close() {
      await app.close();
      await vendor[Symbol.asyncDispose]();
    },
  };
}

/** A letter as the vendor knows it. */
export const asTaken = (letter: SentLetter): VendorLetter => ({
  id: randomUUID(),
  from: 'ada@example.com',
  to: [letter.person.address],
  subject: 'Your bridge',
  headers: {},
  tags: [{ name: SEND_TAG, value: letter.id }],
});
