// A story: an agent without wire prepares a whole campaign as one plan, a person opens its link on a phone, sees what would happen
// and signs once, and the letters leave.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE_MS } from '../../../src/kernel/clock.ts';
import { openBrowser, SCREENS, type TestBrowser } from '../../support/browser.ts';
import type { TestApp } from '../../support/app.ts';
import { openSenders, type Senders } from '../../support/senders.ts';
import { aPostalAddress } from '../../support/campaigns.ts';
import { somebody } from '../../support/letters.ts';
import { looksRight, LONG_MS, ON_A_PHONE } from './told.ts';

const PEOPLE = 300;
const AT_ONCE = 75;
const HALF_HOURS = 24 * 2 * 3;

let senders: Senders;
let app: TestApp;
let browser: TestBrowser;

beforeAll(async () => {
  senders = await openSenders({ screens: SCREENS, baseUrl: 'https://desk.example' });
  app = senders.app;
  browser = await openBrowser(app);
});

afterAll(async () => {
  await browser?.close();
  await senders?.close();
});

type Proposed = {
  proposal: {
    id: string;
    approval_id: string;
    sign_at: string;
    state: string;
    rehearsal: { needs: string[]; changes: { what: string; count: number }[]; steps: unknown[] };
  };
};

const step = (act: string, given: object) => ({ act, arguments: given });
const from = (path: string) => ({ $from: path });

async function plan(width: number): Promise<object[]> {
  const domain = await senders.active();
  const ramp = { start: 1000, step: 0, ceiling: 1000 };
  const { id: identity_id } = await senders.anIdentity(
    { name: 'Ann Roe', min_gap_s: 0, jitter_s: 0, ramp },
    domain,
  );
  await senders.onIdentity(identity_id, 'test');
  await senders.onIdentity(identity_id, 'activate');
  const postal_address_id = await aPostalAddress(app);
  const ids: string[] = [];
  for (let n = 0; n < PEOPLE; n += 1) ids.push((await somebody(app, `Person ${n}`)).id);
  const enrol = Array.from({ length: PEOPLE / AT_ONCE }, (_, at) =>
    step('campaign_enrol', {
      campaign: from('steps.0.campaign.id'),
      people: ids.slice(at * AT_ONCE, (at + 1) * AT_ONCE),
    }),
  );
  return [
    step('campaign_create', { name: `Spring refit ${width}`, postal_address_id }),
    step('sequence_save', {
      campaign: from('steps.0.campaign.id'),
      revision: 1,
      steps: [
        { kind: 'letter', subject: 'Your bridge', text: 'Dear {{ person.name }}, your bridge is fine work.' },
      ],
    }),
    step('campaign_pool', {
      campaign: from('steps.0.campaign.id'),
      revision: from('steps.0.campaign.revision'),
      identity_pool: [{ identity_id, weight: 1 }],
    }),
    step('campaign_no_human_review', {
      campaign: from('steps.0.campaign.id'),
      confirmed: true,
      sequence_revision: from('steps.1.sequence.revision'),
    }),
    step('campaign_review_policy', {
      campaign: from('steps.0.campaign.id'),
      revision: from('steps.3.campaign.revision'),
      review_policy: 'none',
    }),
    step('project_create', { key: `S${width}`, name: 'Spring refit' }),
    step('item_create', {
      project: from('steps.5.project.key'),
      title: 'Read the answers of the first week',
    }),
    ...enrol,
    step('campaign_activate', { campaign: from('steps.0.campaign.id') }),
  ];
}

test.each(ON_A_PHONE)(
  'a campaign of 300 is proposed, read, signed and sent, at %i px',
  async (width) => {
    senders.sink.letters.length = 0;
    const steps = await plan(width);
    expect(steps.length).toBeGreaterThanOrEqual(10);
    const agent = new Client({ name: 'scout', version: '1' });
    const bearer = { headers: { Authorization: `Bearer ${senders.token.value}` } };
    await agent.connect(
      new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), { requestInit: bearer }),
    );
    const call = async (args: object): Promise<Proposed> => {
      const { content, isError } = await agent.callTool({ name: 'propose', arguments: { ...args } });
      const [{ text }] = content as { text: string }[] as [{ text: string }];
      expect(isError ?? false, text).toBe(false);
      return JSON.parse(text) as Proposed;
    };
    const { proposal } = await call({ steps, why: 'The spring campaign for the shipyards.' });
    const { rehearsal } = proposal;
    expect(rehearsal.steps).toHaveLength(steps.length);
    expect(rehearsal.needs).toContain('wire');
    expect(rehearsal.changes).toContainEqual({ what: 'people in campaigns added', count: PEOPLE });
    const made = () =>
      app.sql<
        { id: string; state: string }[]
      >`select id, state from campaigns where name = ${`Spring refit ${width}`}`;
    expect(await made()).toHaveLength(0);

    const link = new URL(proposal.sign_at);
    const page = await browser.page(app.admin, `${link.pathname}${link.search}`, { width });
    const effect = page.getByRole('region', { name: 'What happens' });
    await effect.getByText('300 people in campaigns added').waitFor();
    await page.getByLabel('The proposer’s words').getByText('The spring campaign').waitFor();
    await looksRight(page, 'proposal');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText(`Done. All ${steps.length} steps were performed`).waitFor();
    await looksRight(page, 'proposal-done');
    const [campaign] = await made();
    expect(campaign?.state).toBe('active');
    expect(await app.sql`select 1 from prospects where campaign_id = ${campaign?.id ?? null}`).toHaveLength(
      PEOPLE,
    );

    for (let half = 0; half < HALF_HOURS && senders.sink.letters.length < 20; half += 1) {
      await app.instance.jobs.run('stepping');
      await app.instance.jobs.run('letters');
      app.clock.advance(30 * MINUTE_MS);
    }
    expect(senders.sink.letters.length).toBeGreaterThanOrEqual(20);
    const { content } = await agent.callTool({
      name: 'api_request',
      arguments: { method: 'GET', path: `/api/proposals/${proposal.id}` },
    });
    expect(JSON.parse((content as { text: string }[])[0]?.text ?? '').proposal.state).toBe('done');
    await agent.close();
  },
  LONG_MS,
);
