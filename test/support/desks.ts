// Two desks of one instance, for the proof that what is hidden from someone changes no answer to them: one of every kind of
// record under a word, and further ones that are beside the records of another desk.
import { expect } from 'vitest';
import { newItem, newProject, parkedBy } from './board.ts';
import { enrolled } from './campaigns.ts';
import { CRM, newDeal } from './crm.ts';
import type { RestClient, TestApp, TokenClient } from './app.ts';
import { aTalk, type InboxDesk, inboxDesk } from './inbox.ts';
import { aLetter } from './letters.ts';
import { sentLetter } from './sent.ts';
import { activeBy, startedBy, step } from './workflows.ts';

/** What an argument of this name says to mean the desk's record; words among them. */
export type Named = Record<string, string>;

export type RecordsDesk = {
  named: Named;
  /** As policies name its records. */
  names: string[];
  inbox: InboxDesk;
};

async function made(by: RestClient, path: string, body: object): Promise<any> {
  const answer = await by.rest('POST', path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

async function letters(app: TestApp, inbox: InboxDesk, word: string) {
  const talk = await aTalk(app, inbox, `${word} Poe`);
  const touch = await talk.writes({
    text: `We ask about ${word}.`,
    reading: { reading: 'positive', by: 'rule' },
  });
  const draft = await aLetter(app, inbox.campaign, `${word} Roe`);
  const held = await sentLetter(app, inbox.campaign);
  await app.sql`
    update sends set state = 'held', hold_reason = 'no_basis', held_at = now(), sent_at = null, sending_at = null,
      delivery = null where id = ${held.id}`;
  return { talk, touch, draft, held };
}

/** One of everything under this word, which is in its names and texts. */
export async function recordsDesk(app: TestApp, agent: TokenClient, word: string): Promise<RecordsDesk> {
  const { admin } = app;
  const address = `${word.toLowerCase()}@${word.toLowerCase()}.example`;
  const domain_of_company = `${word.toLowerCase()}.example`;
  const { company } = await made(admin, `${CRM}/companies`, {
    name: `${word} Works`,
    domain: domain_of_company,
  });
  const { person } = await made(admin, `${CRM}/people`, {
    name: `${word} Moe`,
    company_id: company.id,
    country: 'DE',
    tags: [word],
    addresses: [{ value: address }],
  });
  const deal = await newDeal(admin, {
    name: `${word} deal`,
    person_id: person.id,
    company_id: company.id,
    amount: 77_000,
    currency: 'EUR',
  });
  const filter = { all: [{ field: 'country', op: 'is', value: 'DE' }] };
  const { segment } = await made(admin, `${CRM}/segments`, { name: `${word} segment`, filter });
  const project = await newProject(app, { name: `${word} project` });
  const item = await newItem(admin, project.key, { title: `${word} item`, due_on: '2020-01-01' });
  await made(admin, `/api/work/items/${item.id}/comments`, { text: `${word} comment` });
  const parked = await parkedBy(agent, project.key, { title: `${word} parked` });
  const inbox = await inboxDesk(app, `${word} campaign`);
  const { identity_id: identity, domain_id: domain, id: campaign } = inbox.campaign;
  const { talk, touch, draft, held } = await letters(app, inbox, word);
  const workflow = await activeBy(admin, [step('a', 'wait', { minutes: 60 })], undefined, `${word} flow`);
  const run = await startedBy(admin, workflow);
  const user = await app.person({ name: `${word} User`, email: `user@${domain_of_company}` });
  const named = {
    person: person.id,
    person_id: person.id,
    company: company.id,
    deal: deal.id,
    segment: segment.id,
    project: project.key,
    item_id: item.id,
    key: item.key,
    approval: parked.approval_id,
    campaign,
    prospect: draft.prospect_id,
    send: draft.send_id,
    thread: talk.id,
    thread_id: talk.id,
    touch,
    identity,
    domain,
    workflow,
    run,
    user: user.id,
    address,
    tag: word,
    query: word,
  };
  const names = [
    ...[person.id, talk.person.id, draft.person.id, held.person.id].map((id) => `crm:person/${id}`),
    `crm:company/${company.id}`,
    `crm:deal/${deal.id}`,
    `crm:segment/${segment.id}`,
    `work:project/${project.key}`,
    ...[item.id, parked.item.id].map((id) => `work:item/${id}`),
    `approval:work_review/${parked.approval_id}`,
    `outreach:campaign/${campaign}`,
    ...[draft.prospect_id, held.prospect_id, talk.letter.prospect_id].map((id) => `outreach:prospect/${id}`),
    ...[draft.send_id, held.id, talk.letter.id].map((id) => `outreach:send/${id}`),
    `inbox:thread/${talk.id}`,
    `outreach:identity/${identity}`,
    `outreach:domain/${domain}`,
    `workflow:${workflow}`,
    `run:${run}`,
    `admin:user/${user.id}`,
  ];
  return { named, names, inbox };
}

/** Records under this word that are beside those of a desk: in its company, project, campaign, and with its people. */
export async function recordsBeside(
  app: TestApp,
  agent: TokenClient,
  { named, inbox }: RecordsDesk,
  word: string,
): Promise<string[]> {
  const { admin } = app;
  const { person } = await made(admin, `${CRM}/people`, {
    name: `${word} Beside`,
    company_id: named['company'],
    country: 'DE',
    addresses: [{ value: `beside@${word.toLowerCase()}.example` }],
  });
  const beside = { person_id: named['person'], company_id: named['company'], amount: 5_000, currency: 'EUR' };
  const deal = await newDeal(admin, { name: `${word} beside`, ...beside });
  const item = await newItem(admin, named['project'] ?? '', {
    title: `${word} beside`,
    due_on: '2020-01-01',
  });
  const parked = await parkedBy(agent, named['project'] ?? '', { title: `${word} beside, parked` });
  const run = await startedBy(admin, named['workflow'] ?? '');
  const { talk, draft, held } = await letters(app, inbox, word);
  const { prospect_id, person_id } = await enrolled(app, inbox.campaign.id, { given: word });
  return [
    ...[person.id, talk.person.id, draft.person.id, held.person.id, person_id].map(
      (id) => `crm:person/${id}`,
    ),
    `crm:deal/${deal.id}`,
    ...[item.id, parked.item.id].map((id) => `work:item/${id}`),
    `approval:work_review/${parked.approval_id}`,
    `run:${run}`,
    ...[draft.prospect_id, held.prospect_id, talk.letter.prospect_id, prospect_id].map(
      (id) => `outreach:prospect/${id}`,
    ),
    ...[draft.send_id, held.id, talk.letter.id].map((id) => `outreach:send/${id}`),
    `inbox:thread/${talk.id}`,
  ];
}
