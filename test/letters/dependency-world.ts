// One campaign with one person in it whose letter is made of everything that a template can read, for the walk of what letters
// depend on: the rows of a sender and a campaign are written straight into the tables, the rest goes through the entry points.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Answer, RestClient, TestApp } from '../support/app.ts';
import { aCampaign, aDesk, type Desk, O, somebody, type TestPerson } from '../support/letters.ts';
import { seedIdentity, type SeededDomain, type Site } from './seed.ts';

export const C = '/api/admin/crm';

export const read = async (as: RestClient, path: string): Promise<any> => {
  const answer = await as.rest('GET', path);
  expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBe(200);
  return Object.values(answer.body)[0];
};
export async function patch(as: RestClient, path: string, body: object): Promise<Answer> {
  const { revision } = await read(as, path);
  return as.rest('PATCH', path, { revision, ...body });
}
export const made = async (as: RestClient, path: string, body: object): Promise<any> => {
  const answer = await as.rest('POST', path, body);
  expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBe(201);
  return Object.values(answer.body)[0];
};
/** One campaign with one person in it, and everything that its letter is made of, none of it shared with another. */
export type World = Desk & {
  app: TestApp;
  /** Its identity's address, no one else's. */
  sender: string;
  campaign: string;
  step: string;
  person: TestPerson;
  company: string;
  segment: string;
  template: string;
  snippet: string;
  /** A custom field of people that this world alone asks for. */
  field: string;
  /** Its letter, where it is written already. */
  send: string | null;
  prospect: string;
};

/** The text of the step: every source that a template can read. */
const ASKS = [
  'person.name',
  'person.title',
  'person.phone',
  'person.country',
  'person.language',
  'person.source',
  'person.tags',
  'company.name',
  'company.domain',
  'company.size',
  'campaign.name',
  'campaign.goal',
  'identity.name',
];

export type Database = { app: TestApp; site: Site; domain: SeededDomain; port: number };

/** `columns`: of the campaign, its policy among them. */
export async function aWorld(database: Database, columns: Record<string, unknown>): Promise<World> {
  const { app } = database;
  const { sql, admin } = app;
  const now = app.clock.now();
  const name = randomUUID().slice(0, 8);
  const local = `ada.${name}`;
  const { id: identity_id, address: sender } = await seedIdentity(database.site, database.domain, now, {
    local,
    port: database.port,
  });
  const desk = { ...(await aDesk(app)), identity_id, domain_id: database.domain.id };
  const field = `f${name}`;
  for (const noun of ['person', 'company']) {
    const [set] = await read(admin, `${C}/fields?noun=${noun}`);
    const fields = [...set.fields, { key: field, title: name, kind: 'text' }];
    const saved = await admin.rest('PUT', `${C}/fields`, { noun, revision: set.revision, fields });
    expect(saved.status, JSON.stringify(saved.body)).toBe(200);
  }

  const { id: campaign, step_id: step } = await aCampaign(app, desk, {
    exclusive: false,
    max_touches_per_week_per_person: 50,
    guardrails: sql.json({
      bounce_rate: 0.05,
      complaint_rate: 0.003,
      reply_rate: null,
      min_sends: 50,
      window_days: 7,
    }),
    daily_cap: 1_000,
    ...columns,
  });
  const asks = [...ASKS, `custom.${field}`, `company.custom.${field}`];
  const text = asks.map((each) => `{{ ${each} | default: "-" }}`).join('\n');
  await sql`update sequence_steps set subject = 'Your bridge', text = ${text} where id = ${step}`;
  const person = await somebody(app);
  const { id: company } = await made(admin, `${C}/companies`, {
    name: `Acme ${name}`,
    custom: { [field]: 'steel' },
  });
  const own = { company_id: company, custom: { [field]: 'we saw it' } };
  expect((await patch(admin, `${C}/people/${person.id}`, own)).status).toBe(200);
  const enrolled = await admin.rest('POST', `${O}/campaigns/${campaign}/enrol`, { people: [person.id] });
  expect(enrolled.body, JSON.stringify(enrolled.body)).toMatchObject({ enrolled: 1 });
  const [{ id: prospect } = { id: '' }] = await sql<{ id: string }[]>`
    select id from prospects where campaign_id = ${campaign}`;
  const filter = { all: [{ field: 'tags', op: 'any', value: name }] };
  const { id: segment } = await made(admin, `${C}/segments`, { name, filter });
  const { id: template } = await made(admin, `${O}/templates`, { name, subject: 'Hello', text: 'Hello' });
  const { id: snippet } = await made(admin, '/api/snippets', { name, text: 'Hello' });
  return {
    ...desk,
    app,
    sender,
    campaign,
    step,
    person,
    company,
    segment,
    template,
    snippet,
    field,
    send: null,
    prospect,
  };
}
