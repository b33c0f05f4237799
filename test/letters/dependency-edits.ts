// Every change that src/features/outreach/sends/draft/dependencies.rules.ts names, as someone without wire makes it through the entry points. What is
// written says EVIL, or goes to evil.example, wherever it can.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { DependencyName } from '../../src/features/outreach/sends/draft/dependencies.rules.ts';
import { planAndWrite, rollBack } from '../imports/support.ts';
import type { Answer, RestClient } from '../support/app.ts';
import { O, somebody } from '../support/letters.ts';
import { C, made, patch, read, type World } from './dependency-world.ts';

type Edit = {
  by: string;
  says: string;
  /** Of a letter that is there already. */
  after?: true;
  /** Of a letter that is so that no one may, where the policy has brought it there. */
  mayBeRefused?: true;
  make(as: RestClient, world: World): Promise<Answer>;
};

const edit = (by: string, says: string, make: Edit['make']): Edit => ({ by, says, make });
const personal = (says: string, body: (world: World) => object): Edit =>
  edit('person_update', says, (as, world) => patch(as, `${C}/people/${world.person.id}`, body(world)));
const campaign = (says: string, body: object): Edit =>
  edit('campaign_update', says, (as, world) => patch(as, `${O}/campaigns/${world.campaign}`, body));
const sender = (says: string, body: object): Edit =>
  edit('identity_update', says, (as, { identity_id }) => patch(as, `${O}/identities/${identity_id}`, body));
const post = (
  by: string,
  says: string,
  path: (world: World) => string,
  body: (world: World) => object,
): Edit => edit(by, says, (as, world) => as.rest('POST', path(world), body(world)));

const evilAddress = () => `${randomUUID().slice(0, 8)}@evil.example`;

async function mergedInto(as: RestClient, { person }: World, body: object): Promise<Answer> {
  const into = await made(as, `${C}/people`, body);
  const { revision: from_revision } = await read(as, `${C}/people/${person.id}`);
  return as.rest('POST', `${C}/people/${into.id}/merge`, {
    from: person.id,
    revision: into.revision,
    from_revision,
  });
}

async function imported(as: RestClient, { person }: World, column: string, value: string): Promise<string> {
  const file = `email,${column}\n${person.address},${value}\n`;
  const done = await planAndWrite(as, { file, on_duplicate: 'update' });
  expect(done, column).toMatchObject({ updated: 1 });
  return done.batch_id;
}
const done = async (): Promise<Answer> => ({ status: 200, body: {}, headers: new Headers() });

async function withoutField(as: RestClient, noun: string, key: string): Promise<Answer> {
  const [set] = await read(as, `${C}/fields?noun=${noun}`);
  const fields = set.fields.filter((field: { key: string }) => field.key !== key);
  return as.rest('PUT', `${C}/fields`, { noun, revision: set.revision, fields, drop_values: true });
}

async function steps(as: RestClient, { campaign: id }: World, change: object): Promise<Answer> {
  const sequence = await read(as, `${O}/campaigns/${id}/sequence`);
  const given = sequence.steps.map(({ attachments, position: _position, fields: _fields, ...step }: any) => ({
    ...step,
    attachments: attachments.map((each: { id: string }) => each.id),
    ...change,
  }));
  return as.rest('PUT', `${O}/campaigns/${id}/sequence`, { revision: sequence.revision, steps: given });
}

const letter = (by: string, make: Edit['make']): Edit => ({ by, says: 'its words', after: true, make });

const WORKFLOW = () => ({
  name: `A card ${randomUUID().slice(0, 8)}`,
  trigger: { kind: 'event', event: 'reply.landed' },
  steps: [
    { id: 'card', kind: 'create_work_item', name: 'A card', input: { project: 'OUT', title: 'Answer' } },
  ],
});

export const EDITS: Record<DependencyName, readonly Edit[]> = {
  address: [
    personal('another address', () => ({ addresses: [{ value: evilAddress() }] })),
    personal('another first address beside the old one', ({ person }) => ({
      addresses: [{ value: person.address }, { value: evilAddress(), primary: true }],
    })),
    edit('person_merge', 'into somebody with an address', (as, world) =>
      mergedInto(as, world, { name: 'Dana Roe', addresses: [{ value: evilAddress() }] }),
    ),
  ],
  person: [
    ...(['name', 'title', 'source'] as const).map((field) => personal(field, () => ({ [field]: 'EVIL' }))),
    personal('tags', () => ({ tags: ['EVIL'] })),
    personal('a custom field', ({ field }) => ({ custom: { [field]: 'EVIL' } })),
    edit('person_merge', 'into another name', (as, world) => mergedInto(as, world, { name: 'EVIL' })),
    ...(['name', 'source', 'tags'] as const).map((column) =>
      edit('people_import', column, async (as, world) => {
        await imported(as, world, column, 'EVIL');
        return done();
      }),
    ),
    edit('import_rollback', 'title', async (as, world) =>
      rollBack(as, await imported(as, world, 'title', 'EVIL')),
    ),
    edit('field_replace', 'a field with its values', (as, { field }) => withoutField(as, 'person', field)),
  ],
  company: [
    edit('company_update', 'name', (as, { company }) =>
      patch(as, `${C}/companies/${company}`, { name: 'EVIL' }),
    ),
    edit('company_update', 'a custom field', (as, { company, field }) =>
      patch(as, `${C}/companies/${company}`, { custom: { [field]: 'EVIL' } }),
    ),
    edit('field_replace', 'a field with its values', (as, { field }) => withoutField(as, 'company', field)),
  ],
  employer: [
    edit('person_update', 'another company', async (as, { person }) => {
      const { id: company_id } = await made(as, `${C}/companies`, { name: 'EVIL' });
      return patch(as, `${C}/people/${person.id}`, { company_id });
    }),
    edit('person_merge', 'into somebody at another company', async (as, world) => {
      const { id: company_id } = await made(as, `${C}/companies`, { name: 'EVIL' });
      return mergedInto(as, world, { name: 'Dana Roe', company_id });
    }),
    edit('people_import', 'another company', async (as, world) => {
      await imported(as, world, 'company', `EVIL ${randomUUID()}`);
      return done();
    }),
    edit('company_delete', 'none', (as, { company }) => as.rest('DELETE', `${C}/companies/${company}`)),
  ],
  gate_facts: [personal('basis', () => ({ basis: 'consent', basis_note: 'EVIL' }))],
  steps: [
    edit('sequence_save', 'text', (as, world) => steps(as, world, { text: 'EVIL' })),
    edit('sequence_save', 'subject', (as, world) => steps(as, world, { subject: 'EVIL' })),
  ],
  attachments: [
    edit('sequence_save', 'a file', async (as, world) => {
      const file = { filename: 'EVIL.txt', media_type: 'text/plain', file_base64: 'RVZJTA==' };
      const { id } = await made(as, `${O}/campaigns/${world.campaign}/attachments`, file);
      return steps(as, world, { attachments: [id] });
    }),
  ],
  campaign_words: [
    campaign('name', { name: 'EVIL' }),
    campaign('goal', { goal: 'EVIL' }),
    campaign('the way out', { unsubscribe_mode: 'reply_only' }),
    edit('campaign_update', 'the postal address', async (as, world) => {
      const { id } = await made(as, `${O}/postal-addresses`, { name: 'EVIL', lines: 'EVIL 1' });
      return patch(as, `${O}/campaigns/${world.campaign}`, { postal_address_id: id });
    }),
  ],
  campaign_settings: [
    campaign('a cap', { daily_cap: 100_000 }),
    campaign('basis', { require_basis: false }),
    campaign('verification', { verification_policy: 'any' }),
    campaign('a limit', {
      guardrails: { bounce_rate: 1, complaint_rate: 1, reply_rate: null, min_sends: 50, window_days: 7 },
    }),
    campaign('what ends a sequence', { stop_on_reply: false }),
    campaign('its zone', { timezone: 'Asia/Tokyo' }),
  ],
  review: [
    edit('campaign_review_policy', 'none', async (as, { campaign: id }) => {
      const { revision } = await read(as, `${O}/campaigns/${id}`);
      return as.rest('PUT', `${O}/campaigns/${id}/review-policy`, { revision, review_policy: 'sample' });
    }),
    edit('campaign_no_human_review', 'confirmed', (as, { campaign: id }) =>
      as.rest('PUT', `${O}/campaigns/${id}/no-human-review`, { confirmed: true, sequence_revision: 1 }),
    ),
    edit('campaign_pool', 'nobody', async (as, { campaign: id }) => {
      const { revision } = await read(as, `${O}/campaigns/${id}`);
      return as.rest('PUT', `${O}/campaigns/${id}/pool`, { revision, identity_pool: [] });
    }),
  ],
  activation: [
    post(
      'campaign_activate',
      'again',
      ({ campaign: id }) => `${O}/campaigns/${id}/activate`,
      () => ({}),
    ),
  ],
  sender_words: [
    sender('name', { name: 'EVIL' }),
    sender('signature', { signature_text: 'EVIL', signature_html: '' }),
    sender('reply address', { reply_to: 'reply@evil.example' }),
  ],
  sender_way: [
    sender('server', {
      transport: { kind: 'smtp', host: '127.0.0.1', port: 9, security: 'plain', user: null },
    }),
  ],
  sender_pace: [
    sender('a cap', { daily_cap: 9_000 }),
    edit('domain_update', 'a cap', (as, { domain_id }) =>
      patch(as, `${O}/domains/${domain_id}`, { daily_cap: 90_000 }),
    ),
  ],
  domain: [
    post(
      'domain_resume',
      'again',
      ({ domain_id }) => `${O}/domains/${domain_id}/resume`,
      () => ({}),
    ),
  ],
  postal_addresses: [
    edit('postal_address_delete', 'gone', (as, { postal_id }) =>
      as.rest('DELETE', `${O}/postal-addresses/${postal_id}`),
    ),
  ],
  /** The environment alone changes it: test/letters/address.test.ts. */
  base_url: [],
  letter: [
    letter('send_update', (as, { send }) => patch(as, `${O}/sends/${send}`, { text: 'EVIL' })),
    {
      ...letter('letter_draft', (as, { campaign: id, person, step }) =>
        as.rest('POST', `${O}/letters/rewrite`, {
          campaign: id,
          person_id: person.id,
          step,
          text: 'EVIL',
          reason: 'x',
        }),
      ),
      mayBeRefused: true,
    },
  ],
  approval: [
    {
      ...post(
        'send_approve',
        'one',
        ({ send }) => `${O}/sends/${send}/approve`,
        () => ({ fingerprint: 'x' }),
      ),
      after: true,
    },
    {
      ...post(
        'sends_approve',
        'many',
        () => `${O}/sends/approve`,
        ({ send }) => ({
          sends: [{ id: send, fingerprint: 'x' }],
        }),
      ),
      after: true,
    },
  ],
  holds: [
    post(
      'prospect_hold',
      'on',
      ({ prospect }) => `${O}/prospects/${prospect}/hold`,
      () => ({ reason: 'EVIL' }),
    ),
    post(
      'prospect_release',
      'off',
      ({ prospect }) => `${O}/prospects/${prospect}/release`,
      () => ({}),
    ),
    {
      ...post(
        'send_hold',
        'on',
        ({ send }) => `${O}/sends/${send}/hold`,
        () => ({ note: 'EVIL' }),
      ),
      after: true,
    },
    {
      by: 'send_recheck',
      says: 'on and off',
      after: true,
      make: async (as, { send }) => {
        await as.rest('POST', `${O}/sends/${send}/hold`, {});
        return as.rest('POST', `${O}/sends/${send}/recheck`, {});
      },
    },
  ],
  enrolment: [
    edit('campaign_enrol', 'somebody else', async (as, { app, campaign: id }) => {
      const people = [(await somebody(app, 'EVIL')).id];
      return as.rest('POST', `${O}/campaigns/${id}/enrol`, { people });
    }),
  ],
  suppressions: [
    edit('suppression_lift', 'lifted', async (as, { app, person }) => {
      const given = { kind: 'address', value: person.address, reason: 'manual' };
      const { suppression } = (await app.admin.rest('POST', `${O}/suppressions`, given)).body;
      return as.rest('DELETE', `${O}/suppressions/${suppression?.id}`);
    }),
  ],
  verdicts: [
    post(
      'outreach_verify',
      'asked',
      () => `${O}/verify`,
      ({ person }) => ({
        addresses: [person.address],
        action: 'check',
      }),
    ),
  ],
  segments: [
    edit('segment_update', 'everybody', (as, { segment }) =>
      as.rest('PATCH', `${C}/segments/${segment}`, {
        revision: 1,
        filter: { all: [{ field: 'tags', op: 'none', value: 'EVIL' }] },
      }),
    ),
    edit('segment_delete', 'gone', (as, { segment }) => as.rest('DELETE', `${C}/segments/${segment}`)),
  ],
  workflows: [
    edit('workflow_update', 'its name', async (as, { app }) => {
      const { id } = await made(app.admin, '/api/workflows', WORKFLOW());
      return patch(as, `/api/workflows/${id}`, { name: 'EVIL' });
    }),
    edit('workflow_delete', 'gone', async (as, { app }) => {
      const { id } = await made(app.admin, '/api/workflows', WORKFLOW());
      return as.rest('DELETE', `/api/workflows/${id}`);
    }),
  ],
  forms: [
    edit('form_update', 'its name', async (as, { app, campaign: campaign_id }) => {
      const { id } = await made(app.admin, '/api/admin/forms', { name: 'Contact', campaign_id });
      return as.rest('PATCH', `/api/admin/forms/${id}`, { revision: 1, name: 'EVIL', campaign_id });
    }),
    edit('form_delete', 'gone', async (as, { app, campaign: campaign_id }) => {
      const { id } = await made(app.admin, '/api/admin/forms', { name: 'Contact', campaign_id });
      return as.rest('DELETE', `/api/admin/forms/${id}`);
    }),
  ],
  templates: [
    edit('template_update', 'text', async (as, { template }) =>
      as.rest('PATCH', `${O}/templates/${template}`, { revision: 1, text: 'EVIL' }),
    ),
    edit('template_delete', 'gone', (as, { template }) => as.rest('DELETE', `${O}/templates/${template}`)),
  ],
  snippets: [
    edit('snippet_update', 'text', (as, { snippet }) =>
      as.rest('PATCH', `/api/snippets/${snippet}`, { revision: 1, text: 'EVIL' }),
    ),
    edit('snippet_delete', 'gone', (as, { snippet }) => as.rest('DELETE', `/api/snippets/${snippet}`)),
  ],
  fields: [
    edit('field_replace', 'a title', async (as, { field }) => {
      const [set] = await read(as, `${C}/fields?noun=person`);
      const fields = set.fields.map((each: { key: string }) =>
        each.key === field ? { ...each, title: 'EVIL' } : each,
      );
      return as.rest('PUT', `${C}/fields`, { noun: 'person', revision: set.revision, fields });
    }),
  ],
};
