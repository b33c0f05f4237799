// People whose address changes after they were enrolled: a desk that sends, and what its tests do over and over.
import { expect } from 'vitest';
import type { RestClient, TestHouse } from '../support/house.ts';
import { aDesk, type Desk, O } from '../support/letters.ts';
import { seedDomain, seedIdentity } from './seed.ts';

const C = '/api/admin/crm';

export type Readdressing = Awaited<ReturnType<typeof openReaddressing>>;

export async function openReaddressing(house: TestHouse) {
  const site = { sql: house.sql, sealer: house.instance.house.sealer, base_url: 'https://desk.example' };
  const domain = await seedDomain(site, house.clock.now());
  const { id: identity_id } = await seedIdentity(site, domain, house.clock.now());
  const desk: Desk = { ...(await aDesk(house)), identity_id };

  const done = async (as: RestClient, method: string, path: string, body: unknown) => {
    const answer = await as.rest(method, path, body);
    expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  };
  const personOf = async (id: string) =>
    (await done(house.admin, 'GET', `${C}/people/${id}`, undefined)).person;
  return {
    desk,
    done,
    personOf,
    stranger,
    /** The columns of a campaign whose letters nobody has to read. */
    confirmed: () => ({
      no_human_review_by_kind: 'person',
      no_human_review_by_id: house.admin.id,
      no_human_review_by_name: 'Ada',
      no_human_review_at: house.clock.now(),
      no_human_review_revision: 1,
    }),
    enrol: (campaign: string, ...people: string[]) =>
      done(house.admin, 'POST', `${O}/campaigns/${campaign}/enrol`, { people }),
    async readdress(as: RestClient, id: string, address = stranger()): Promise<string> {
      const { revision } = await personOf(id);
      await done(as, 'PATCH', `${C}/people/${id}`, { revision, addresses: [{ value: address }] });
      return address;
    },
    /** A minute passes, and whatever is due by then is drafted and sent. */
    async go() {
      house.clock.advance(60_000);
      await house.instance.jobs.run('stepping');
      await house.instance.jobs.run('letters');
      await house.instance.jobs.run('letters_recheck');
    },
    lettersTo: (person: string) =>
      house.sql<
        Record<string, any>[]
      >`select * from sends where person_id = ${person} order by created_at, id`,
  };
}

const stranger = (): string => `stranger.${Math.random().toString(36).slice(2, 10)}@evil.example`;
