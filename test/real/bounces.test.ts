// What a real Postfix sends back: each report lands on the letter that it is about, as what it is, for whom it names.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addressHash } from '../../src/mail/address.ts';
import { campaignOf, enrol, LETTER, lettersOf, type Sent } from './campaign.ts';
import { comes, openWorld, type World } from './world.ts';

type Bounce = {
  to: string;
  kind: 'hard' | 'soft' | 'policy';
  status: RegExp;
  cause: string;
  subject?: string;
  reports?: number;
};

const BOUNCES: Record<string, Bounce> = {
  'nobody of that name': {
    to: 'nobody@acme.example',
    kind: 'hard',
    status: /^5\.1\.1$/,
    cause: 'no_such_address',
  },
  'a full mailbox': { to: 'full@acme.example', kind: 'soft', status: /^5\.2\.2$/, cause: 'mailbox_full' },
  'a letter over their limit': {
    to: 'dana@small.example',
    kind: 'policy',
    status: /^5\.3\.4$/,
    cause: 'too_big',
  },
  'a server that relays for others only': {
    to: 'dana@forbidden.example',
    kind: 'policy',
    status: /^5\.7\.1$/,
    cause: 'relay',
  },
  'a domain that is not there': {
    to: 'dana@nowhere.example',
    kind: 'hard',
    status: /^5\.4\.4$/,
    cause: 'no_such_host',
  },
  'a domain that takes no mail': {
    to: 'dana@null.example',
    kind: 'hard',
    status: /^5\.1\.0|5\.1\.10|5\.4\.4$/,
    cause: 'accepts_no_mail',
  },
  'words that they refuse': {
    to: 'dana@acme.example',
    kind: 'policy',
    status: /^5\.7\.1$/,
    cause: 'policy',
    subject: 'A miracle bridge',
  },
  'a server that is away until it is given up': {
    to: 'dana@silent.example',
    kind: 'soft',
    status: /^4\.4\.1$/,
    cause: 'network',
    reports: 2,
  },
  'an alias whose target is gone': {
    to: 'team@acme.example',
    kind: 'hard',
    status: /^5\.1\.1$/,
    cause: 'no_such_address',
  },
};

let world: World;
const letters = new Map<string, Sent>();

beforeAll(async () => {
  world = await openWorld();
  const { app, senders } = world;
  senders.dns.says('null.example', { mx: [[0, '']] });
  const { id } = await world.identity('ann');
  for (const subject of [undefined, 'A miracle bridge']) {
    const campaign = await campaignOf(app, [id], [{ ...LETTER, ...(subject && { subject }) }]);
    const wanted = Object.values(BOUNCES).filter((each) => each.subject === subject);
    await enrol(
      app,
      campaign,
      wanted.map(({ to }) => to),
    );
    await comes(async () => {
      const rows = await lettersOf(app, campaign);
      expect(rows.map(({ state }) => state)).toEqual(wanted.map(() => 'sent'));
      for (const row of rows) letters.set(row.to_address, row);
    });
  }
});
afterAll(() => world?.close());

const reportsOf = (id: string) => world.app.sql`
  select kind, status, cause, recipient_hash, placed_by from send_outcomes where send_id = ${id} and source = 'report'`;

describe('a report of Postfix about', () => {
  test.each(Object.entries(BOUNCES))('%s', async (_, { to, kind, status, cause, reports = 1 }) => {
    const { id, prospect_id } = letters.get(to)!;
    await comes(async () => {
      const seen = await reportsOf(id);
      expect(seen, JSON.stringify(seen)).toEqual([
        {
          kind,
          status: expect.stringMatching(status),
          cause,
          recipient_hash: addressHash(to),
          placed_by: 'verp',
        },
      ]);
      // The warning that it is late, and that it was given up, say the same of the letter: both were read.
      const [mails] = await world.app.sql`
        select count(*)::int as count from inbound_mails
        where position(${id} in convert_from(bytes, 'latin1')) > 0 and state = 'reported'`;
      expect(mails!.count).toBe(reports);
    });
    const { send } = (await world.app.admin.rest('GET', `/api/admin/outreach/sends/${id}`)).body;
    expect(send.delivery).toBe(kind);
    const [prospect] = await world.app.sql`select stage from prospects where id = ${prospect_id}`;
    expect(prospect!.stage === 'bounced').toBe(kind === 'hard');
    const suppressed = await world.app.sql`select from suppressions where value_hash = ${addressHash(to)}`;
    expect(suppressed).toHaveLength(kind === 'hard' ? 1 : 0);
  });

  test('no letter of someone else, and all are placed', async () => {
    expect((await world.app.admin.rest('GET', '/api/admin/outreach/deliveries/unplaced')).body.items).toEqual(
      [],
    );
    expect(await world.app.sql`select from send_outcomes where source = 'report'`).toHaveLength(
      Object.keys(BOUNCES).length,
    );
  });
});

test('what the server said is on the letter, with the person and the domain, and in three digests', async () => {
  const { app } = world;
  const letter = letters.get('nobody@acme.example')!;
  const campaign = letter['campaign_id'] as string;
  await comes(async () => expect(await reportsOf(letter.id)).toHaveLength(1));
  const why = {
    kind: 'hard',
    status: '5.1.1',
    cause: 'no_such_address',
    said: expect.stringMatching(/user unknown/i),
  };
  const read = async (path: string): Promise<any> => (await app.admin.rest('GET', path)).body;
  const O = '/api/admin/outreach';
  const { send, reports } = await read(`${O}/sends/${letter.id}`);
  expect(send.delivery_report).toMatchObject({ ...why, source: 'report' });
  expect(reports[0]).toMatchObject(why);
  const { items } = await read(`/api/admin/crm/people/${letter['person_id']}/timeline`);
  expect(items.find(({ kind }: { kind: string }) => kind === 'delivery_hard')).toMatchObject({
    text: why.said,
    details: { send_id: letter.id, status: '5.1.1', cause: 'no_such_address' },
  });
  const { domain_id } = (
    await app.sql`
    select domain_id from identities where id = ${letter['identity_id']}`
  )[0]!;
  const { reasons } = await read(`${O}/domains/${domain_id}/evidence`);
  // The alias whose target is gone is another letter, of the same kind and cause.
  expect(reasons).toContainEqual(expect.objectContaining({ ...why, letters: 2 }));
  expect(reasons.length).toBeGreaterThan(5);

  const agent = await app.token();
  const sending = await agent.tool('sending_digest', { domain: domain_id });
  expect(sending.json.domains.lines[0].not_taken).toMatchObject({
    count: reasons.length,
    lines: [{}, {}, {}],
  });
  const ofCampaign = await agent.tool('campaign_digest', { campaign });
  expect(ofCampaign.json.not_taken.lines[0]).toMatchObject({ ...why, letters: 2 });
  const ofPerson = await agent.tool('person_digest', { person_id: letter['person_id'] });
  expect(ofPerson.json.not_taken).toMatchObject({
    count: 1,
    lines: [{ ...why, letters: 1, send_id: letter.id }],
  });
});
