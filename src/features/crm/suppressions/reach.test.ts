// How far a suppression reaches: answered before and with it, of what its caller may read; a public provider's domain is confirmed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { enrolled, readyCampaign } from '../../../../test/support/campaigns.ts';
import { aCampaign, aDesk, aLetter } from '../../../../test/support/letters.ts';
import { openTestApp, type TestApp } from '../../../../test/support/app.ts';

const SUPPRESSIONS = '/api/admin/outreach/suppressions';
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app?.close());

describe('reach', () => {
  test('is answered by a dry run, which suppresses nothing, and by the act', async () => {
    const campaign = await readyCampaign(app);
    const address = 'reached@reach.example';
    await enrolled(app, campaign.id, { address });
    await enrolled(app, campaign.id, { address: 'other@reach.example' });
    const token = await app.token();
    const reach = { people: 1, in_campaigns: 1, letters_withdrawn: 0 };
    const dry = await token.tool('suppress', { address, dry_run: true });
    expect(dry.json).toEqual({ added: 0, reach, dry_run: true });
    expect(await app.sql`select 1 from suppressions where value = ${address}`).toHaveLength(0);
    const whole = await token.tool('suppress', { domain: 'reach.example', dry_run: true });
    expect(whole.json.reach).toEqual({ people: 2, in_campaigns: 2, letters_withdrawn: 0 });
    const done = await token.tool('suppress', { address });
    expect(done.json).toMatchObject({ added: 1, reach, suppression: { value: address } });
  });

  test('counts the letters that no longer go', async () => {
    const { person } = await aLetter(app, await aCampaign(app, await aDesk(app)));
    const token = await app.token();
    const dry = await token.tool('suppress', { address: person.address, dry_run: true });
    expect(dry.json.reach).toEqual({ people: 1, in_campaigns: 1, letters_withdrawn: 1 });
  });

  test('says nothing of people whom the caller may not read', async () => {
    const policy = { name: 'suppresses', version: 1, statements: [] as object[] };
    policy.statements.push({ effect: 'allow', actions: ['outreach.suppression.*'], resources: ['*'] });
    await app.admin.rest('POST', '/api/admin/policies', policy);
    const blind = await app.token({ mode: 'service', policies: ['suppresses'] });
    const { body } = await blind.rest('POST', SUPPRESSIONS, {
      address: 'other@reach.example',
      dry_run: true,
    });
    expect(body.reach).toEqual({ people: null, in_campaigns: null, letters_withdrawn: null });
  });

  test('of the domain of a public mail provider is confirmed, whoever asks', async () => {
    const token = await app.token();
    for (const domain of ['gmail.com', '@Outlook.com', 'gmx.de']) {
      const refused = await token.tool('suppress', { domain });
      expect(refused.isError).toBe(true);
      expect(refused.text).toContain('confirm');
      for (const confirm of [undefined, false]) {
        const refusedOne = await app.admin.rest('POST', SUPPRESSIONS, { domain, confirm });
        expect(refusedOne.body.error.details.fields).toEqual({
          domain: expect.stringContaining('confirm true'),
        });
        const suppressions = [{ domain: 'narrow.example' }, { domain }];
        const answer = await app.admin.rest('POST', SUPPRESSIONS, { suppressions, confirm });
        expect(answer.body.error.details.fields).toEqual({ 'suppressions.1.domain': expect.any(String) });
      }
    }
    expect(await app.sql`select 1 from suppressions where value in ('gmail.com', 'gmx.de')`).toHaveLength(0);
    expect((await token.tool('suppress', { domain: 'gmx.de', confirm: true })).json.added).toBe(1);
    expect((await token.tool('suppress', { domain: 'narrow.example', confirm: false })).json.added).toBe(1);
    expect((await token.tool('suppress', { address: 'ann@gmail.com' })).json.added).toBe(1);
  });
});
