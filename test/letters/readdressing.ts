// People whose address changes after they were enrolled: a desk that sends, and what its tests do over and over.
import { expect } from 'vitest';
import type { RestClient, TestApp } from '../support/app.ts';
import { aDesk, type Desk, O } from '../support/letters.ts';
import { seedDomain, seedIdentity } from './seed.ts';

const C = '/api/admin/crm';

export type Readdressing = Awaited<ReturnType<typeof openReaddressing>>;

export async function openReaddressing(app: TestApp) {
  const site = { sql: app.sql, sealer: app.instance.app.sealer, base_url: 'https://desk.example' };
  const domain = await seedDomain(site, app.clock.now());
  const { id: identity_id } = await seedIdentity(site, domain, app.clock.now());
  const desk: Desk = { ...(await aDesk(app)), identity_id };

  const done = async (as: RestClient, method: string, path: string, body: unknown) => {
    const answer = await as.rest(method, path, body);
    expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  };
  const personOf = async (id: string) =>
    (await done(app.admin, 'GET', `${C}/people/${id}`, undefined)).person;
  return {
    desk,
    done,
    personOf,
    stranger,
    /** The columns of a campaign whose letters no one has to read. */
    confirmed: () => ({
      no_human_review_by_kind: 'person',
      no_human_review_by_id: app.admin.id,
      no_human_review_by_name: 'Ada',
      no_human_review_at: app.clock.now(),
      no_human_review_revision: 1,
    }),
    enrol: (campaign: string, ...people: string[]) =>
      done(app.admin, 'POST', `${O}/campaigns/${campaign}/enrol`, { people }),
    async readdress(as: RestClient, id: string, address = stranger()): Promise<string> {
      const { revision } = await personOf(id);
      await done(as, 'PATCH', `${C}/people/${id}`, { revision, addresses: [{ value: address }] });
      return address;
    },
    /** A minute passes, and whatever is due by then is drafted and sent. */
    async go() {
      app.clock.advance(60_000);
      await app.instance.jobs.run('stepping');
      await app.instance.jobs.run('letters');
      await app.instance.jobs.run('letters_recheck');
    },
    lettersTo: (person: string) =>
      app.sql<Record<string, any>[]>`select * from sends where person_id = ${person} order by created_at, id`,
  };
}

const stranger = (): string => `stranger.${Math.random().toString(36).slice(2, 10)}@evil.example`;
