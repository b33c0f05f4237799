// A campaign by the entry points, open at every hour, whose letters no one needs to read first; and people in it, by their addresses.
import { expect } from 'vitest';
import { activate, O, saveSteps, setPool } from '../support/campaigns.ts';
import type { TestApp } from '../support/app.ts';

export const LETTER = {
  kind: 'letter',
  subject: 'Your bridge',
  text: 'Dear {{ person.name }},\nwe saw your bridge.',
};
export const FOLLOW_UP = {
  kind: 'letter',
  wait: { days: 0, hours: 1 },
  same_thread: true,
  text: 'Dear {{ person.name }},\ndid you see my letter? – Grüße, Åsa',
};

export type Sent = {
  id: string;
  to_address: string;
  message_id: string;
  state: string;
  prospect_id: string;
  [more: string]: any;
};

export async function campaignOf(
  { admin }: TestApp,
  identities: string[],
  steps: object[] = [LETTER],
): Promise<string> {
  const done = async (method: string, path: string, body?: object): Promise<any> => {
    const answer = await admin.rest(method, path, body);
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  };
  const { postal_address } = await done('POST', `${O}/postal-addresses`, {
    name: `Office ${Math.random()}`,
    lines: 'One Road 1\n10115 Berlin',
  });
  const { campaign } = await done('POST', `${O}/campaigns`, {
    name: `Bridges ${Math.random()}`,
    timezone: 'UTC',
    verification_policy: 'any',
    postal_address_id: postal_address.id,
    windows: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' }],
    max_touches_per_week_per_person: 10,
  });
  const at = `${O}/campaigns/${campaign.id}`;
  // Someone always has a step to come, or the campaign would be finished between two enrolments.
  const last = { kind: 'task', wait: { days: 30, hours: 0 }, task: { title: 'Ask {{ person.name }}' } };
  const sequence = await saveSteps(admin, campaign.id, [...steps, last]);
  await setPool(admin, campaign.id, identities);
  const { seen } = (await done('GET', at)).campaign;
  await done('PUT', `${at}/no-human-review`, { confirmed: true, sequence_revision: sequence.revision, seen });
  const { revision, seen: confirmed } = (await done('GET', at)).campaign;
  await done('PUT', `${at}/review-policy`, { revision, review_policy: 'none', seen: confirmed });
  const active = await activate(admin, campaign.id);
  expect(active.status, JSON.stringify(active.body)).toBe(200);
  return campaign.id;
}

/** Their ids, in the order of the addresses. */
export async function enrol(
  { admin }: TestApp,
  campaign: string,
  addresses: readonly string[],
): Promise<string[]> {
  const people: string[] = [];
  for (const value of addresses) {
    const made = await admin.rest('POST', '/api/admin/crm/people', {
      name: `Dana ${value.split('@')[0]}`,
      addresses: [{ value }],
      source: 'a fair',
      basis: 'legitimate_interest',
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    people.push(made.body.person.id);
  }
  for (let n = 0; n < people.length; n += 500) {
    const answer = await admin.rest('POST', `${O}/campaigns/${campaign}/enrol`, {
      people: people.slice(n, n + 500),
    });
    expect(answer.body).toMatchObject({ refused: [] });
  }
  return people;
}

/** The rows of letters, the oldest first. */
export const lettersOf = ({ sql }: TestApp, campaign: string): Promise<Sent[]> => sql<Sent[]>`
  select * from sends where campaign_id = ${campaign} order by created_at, id`;
