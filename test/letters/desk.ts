// What the tests of the sender share: a desk with a campaign that is about to send to mail servers on loopback.
import { openTestApp, type AppOptions, type TestApp } from '../support/app.ts';
import {
  seedCampaign,
  seedDomain,
  seedIdentity,
  seedLetters,
  seedPeople,
  type IdentityWishes,
  type LetterWishes,
  type SeededCampaign,
  type SeededIdentity,
  type SeededLetter,
  type SeededPerson,
  type Site,
} from './seed.ts';

export const BASE_URL = 'https://desk.example';

export type Desk = {
  app: TestApp;
  site: Site;
  identity: SeededIdentity;
  campaign: SeededCampaign;
  people: SeededPerson[];
  letters: SeededLetter[];
  /** Runs the pass until nothing is due. */
  send(): Promise<number>;
  /** Of the first letter, or of one by its id. */
  row(id?: string): Promise<Record<string, any>>;
};

export const openDesk = (wishes: AppOptions = {}): Promise<TestApp> =>
  openTestApp({ allowHosts: '127.0.0.1', baseUrl: BASE_URL, ...wishes });

export type DeskWishes = {
  people?: number;
  identity?: IdentityWishes;
  campaign?: { columns?: Record<string, unknown>; steps?: number[] };
  letter?: LetterWishes;
  approver?: string;
  /** From now. */
  dueMs?: number;
  algorithm?: 'rsa' | 'ed25519';
  timezone?: string;
};

/** Everything before is gone. */
export async function layDesk(app: TestApp, wishes: DeskWishes = {}): Promise<Desk> {
  const { sql, clock, instance } = app;
  await sql`truncate sends, prospects, campaigns, identities, domains, people, letters_started, suppressions,
            send_outcomes, event_deliveries, sender_lanes, send_facts cascade`;
  const site: Site = { sql, sealer: instance.app.sealer, base_url: instance.app.instance.base_url };
  const now = clock.now();
  const domain = await seedDomain(site, now, { algorithm: wishes.algorithm ?? 'ed25519' });
  const identity = await seedIdentity(site, domain, now, wishes.identity);
  const approver = wishes.approver ?? app.admin.id;
  const campaign = await seedCampaign(site, app.admin.id, now, wishes.campaign);
  const of = () => identity;
  const people = await seedPeople(site, campaign, of, now, wishes.people ?? 1, () => wishes.timezone ?? null);
  const due = new Date(now.getTime() + (wishes.dueMs ?? 0));
  const letters = await seedLetters(site, campaign, people, of, approver, due, wishes.letter);
  return {
    app,
    site,
    identity,
    campaign,
    people,
    letters,
    send: () => instance.jobs.run('letters'),
    async row(id = letters[0]!.id) {
      const [row] = await sql`select * from sends where id = ${id}`;
      return row!;
    },
  };
}
