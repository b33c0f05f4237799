// Sending identities: what one is, and the operations that list, read, create and change it (domain.md §1.6). What tests it,
// sets it active and takes it away is in acts.contract.ts. Secrets are written and never read back.
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { CREATED, OK, operation } from '../../../kernel/operation.ts';
import { id, listOf, page, principal, revision, time } from '../../../kernel/shapes.ts';
import { FILERS, SENT_COPIES } from './ways/filing.rules.ts';
import {
  copies,
  fromName,
  inboundWish,
  mailAddress,
  pacing,
  ramp,
  signature,
  timezone,
  transportWish,
  workday,
} from './fields.contract.ts';
import { ENVELOPE_SENDERS, SECURITIES, VENDORS } from '../../../mail/transport.rules.ts';
import { shownBounces } from './probe.contract.ts';
import { shownTrouble } from './trouble.contract.ts';

const shownTransport = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('smtp'),
    host: z.string(),
    port: z.int(),
    security: z.enum(SECURITIES),
    user: z.string().nullable(),
    has_secret: z.boolean(),
  }),
  z.object({ kind: z.literal('vendor'), provider: z.enum(VENDORS), dkim_selector: z.string() }),
  z.object({ kind: z.literal('sandbox') }),
]);

const shownInbound = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('imap'),
    host: z.string(),
    port: z.int(),
    security: z.enum(['tls', 'starttls']),
    user: z.string(),
    mailbox: z.string(),
    has_secret: z.boolean(),
  }),
  z.object({ kind: z.literal('vendor'), provider: z.enum(VENDORS) }),
  z.object({ kind: z.literal('none') }),
]);

export const identity = z.object({
  id,
  domain_id: id,
  /** The sending domain's name and state. */
  domain: z.string(),
  domain_state: z.enum(['unverified', 'active', 'paused', 'retired']),
  name: z.string(),
  address: z.string(),
  reply_to: z.string().nullable(),
  signature_text: z.string(),
  signature_html: z.string(),
  timezone: z.string(),
  workday: workday.nullable(),
  daily_cap: z.int(),
  hourly_cap: z.int(),
  min_gap_s: z.int(),
  jitter_s: z.int(),
  ramp: z.object({ start: z.int(), step: z.int(), day: z.int(), ceiling: z.int() }),
  transport: shownTransport,
  inbound: shownInbound,
  /** The envelope sender of its letters over a mail server: `bounce` an address of each letter on its domain, bounce+…@domain; `own` its own address. */
  envelope_sender: z.enum(ENVELOPE_SENDERS),
  /** Changed by someone who may not create identities: nothing connects there until someone who may saves it again. */
  transport_unconfirmed_at: time.nullable(),
  inbound_unconfirmed_at: time.nullable(),
  active: z.boolean(),
  /** Why it is inactive: `created`, `person`, `changed`, `credentials_refused`, `domain_retired`, `deleted`; null while it is active. */
  state_reason: z.string().nullable(),
  /** Why nothing leaves by it, whether it is active or not; its letters are held until a test passes, other settings are saved or someone activates it. */
  trouble: shownTrouble.nullable(),
  /** What none of its letters leaves before, and why: the mail server is down, or what it may send is used. */
  waits: z.object({ reason: z.string(), says: z.string(), since: time.nullable(), until: time }).nullable(),
  /** Deleted, and kept for the letters that it sent. */
  gone_at: time.nullable(),
  sent_today: z.int(),
  /** What the cap, the ramp and a warned domain leave of a day. */
  allowance_today: z.int(),
  /** When its mailbox was last read to the end. */
  last_polled_at: time.nullable(),
  /** What is wrong with its mailbox, in a sentence, and since when; null while it is well. */
  inbound_trouble: z.string().nullable(),
  inbound_trouble_since: time.nullable(),
  /** Whether copies of its letters are filed in the Sent folder of its mailbox. */
  sent_copies: z.enum(SENT_COPIES),
  /** Null: the folder that the mailbox marks as Sent. */
  sent_folder: z.string().nullable(),
  /** Who files them, as things are. */
  sent_filed_by: z.enum(FILERS),
  /** Why copies are not filed, in a sentence, and since when; null while they are. */
  sent_trouble: z.string().nullable(),
  sent_trouble_since: time.nullable(),
  /** Whether bounces of its letters arrive, as the last probe showed. */
  bounces: shownBounces,
  last_tested_at: time.nullable(),
  test_outcome: z.enum(['passing', 'failing', 'unknown']).nullable(),
  revision,
  /** Of everything that its activation depends on; activating it, and putting it into a pool, carries it. */
  seen: z.string(),
  created_by: principal,
  created_at: time,
  updated_at: time,
});
export type Identity = z.infer<typeof identity>;
named('Identity', identity);

export const identityName = (which: string): string => `outreach:identity/${which}`;
export const EXAMPLE_IDENTITY = '0198c0de-0000-7000-8000-000000000062';

export const identityList = operation({
  name: 'identity_list',
  says: 'Lists sending identities, newest first, with what each sent today and may send.',
  method: 'GET',
  path: '/api/admin/outreach/identities',
  takes: z.strictObject({
    domain: id.optional(),
    active: z.boolean().optional(),
    ...page,
  }),
  gives: listOf(identity),
  example: {},
  effect: 'read',
  needs: { action: 'outreach.identity.read', on: () => ['outreach:identity'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const identityRead = operation({
  name: 'identity_read',
  says: 'Reads one sending identity, never its secrets.',
  method: 'GET',
  path: '/api/admin/outreach/identities/:identity',
  takes: z.strictObject({ identity: id }),
  gives: z.object({ identity }),
  example: { identity: EXAMPLE_IDENTITY },
  effect: 'read',
  needs: { action: 'outreach.identity.read', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

const BORN_INACTIVE = 'an identity is created inactive: set it active afterwards, with POST …/activate';

export const identityCreate = operation({
  name: 'identity_create',
  says: 'Creates a sending identity, always inactive: a From name and address on one of the domains, with its outgoing mail settings.',
  method: 'POST',
  path: '/api/admin/outreach/identities',
  takes: z.strictObject({
    name: fromName,
    address: mailAddress,
    /** Left out, it is the sending domain that the address ends in. */
    domain_id: id.optional(),
    reply_to: mailAddress.nullable().optional(),
    ...signature,
    timezone: timezone.default('UTC'),
    workday: workday.nullable().optional(),
    ...pacing,
    ramp: ramp.optional(),
    transport: transportWish,
    inbound: inboundWish.optional(),
    envelope_sender: z.enum(ENVELOPE_SENDERS).default('bounce'),
    ...copies,
    active: z.literal(false, BORN_INACTIVE).optional(),
  }),
  gives: z.object({ identity }),
  example: {
    name: 'Ann Example',
    address: 'ann@example.com',
    transport: { kind: 'smtp', host: 'smtp.example.com', port: 587, security: 'starttls', user: 'ann' },
  },
  effect: 'write',
  needs: { action: 'outreach.identity.create', on: () => ['outreach:identity'] },
  who: 'anyone',
  step_up: 'no',
  wire: { act: 'identity.create' },
  answers: CREATED,
});

export const identityUpdate = operation({
  name: 'identity_update',
  says: 'Changes an identity. Another transport, inbound, address or domain makes it inactive and voids its stored secret; changed without the right to create identities, nothing connects there until someone with it saves it.',
  method: 'PATCH',
  path: '/api/admin/outreach/identities/:identity',
  takes: z.strictObject({
    identity: id,
    revision,
    name: fromName.optional(),
    address: mailAddress.optional(),
    domain_id: id.optional(),
    reply_to: mailAddress.nullable().optional(),
    ...signature,
    timezone: timezone.optional(),
    workday: workday.nullable().optional(),
    ...pacing,
    ramp: ramp.optional(),
    transport: transportWish.optional(),
    inbound: inboundWish.optional(),
    envelope_sender: z.enum(ENVELOPE_SENDERS).optional(),
    ...copies,
    active: z.boolean().optional(),
  }),
  gives: z.object({ identity }),
  example: { identity: EXAMPLE_IDENTITY, revision: 1, name: 'Ann Example' },
  effect: 'write',
  needs: { action: 'outreach.identity.write', on: ({ identity: which }) => [identityName(which)] },
  who: 'anyone',
  step_up: 'no',
  wire: { act: 'identity.activate', when: ({ active }) => active === true },
  answers: OK,
});
