// Sending domains: what one is, and the operations that list, add, read and change it (domain.md §1.6). What stops, starts
// and checks it is in acts.contract.ts.
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { CREATED, OK, operation } from '../../../kernel/operation.ts';
import { id, listOf, page, principal, revision, time } from '../../../kernel/shapes.ts';
import { ADDRESS_SAYS, normaliseDomain, parseAddress } from '../../../mail/address.rules.ts';

export const STATES = ['unverified', 'active', 'paused', 'retired'] as const;
export type DomainState = (typeof STATES)[number];

export const CHECKED = ['spf', 'dkim', 'dmarc', 'mx', 'ptr'] as const;

/** Three-valued: a name server that does not answer says nothing about the domain. */
const checked = z.object({
  outcome: z.enum(['passing', 'failing', 'unknown']),
  /** Our code for what was found. */
  why: z.string(),
  /** What is in DNS, to compare with; someone else's text. */
  found: z.string().nullable(),
  checked_at: time,
});

/** What the warden paused on (domain.md §1.6). */
export const evidence = z.object({
  window_start: time,
  window_end: time,
  sent: z.number(),
  count: z.number(),
  rate: z.number().nullable(),
  threshold: z.number().nullable(),
  samples: z.array(z.string()).max(10),
});
export type Evidence = z.infer<typeof evidence>;
named('DomainEvidence', evidence);

export const domain = z.object({
  id,
  /** Lower-case ASCII. */
  name: z.string(),
  state: z.enum(STATES),
  /** When SPF, DKIM and DMARC passed together for the first time. */
  verified_at: time.nullable(),
  /** Of a paused domain, and of one that was retired while paused. */
  paused_by: z.enum(['warden', 'person']).nullable(),
  paused_reason: z.string().nullable(),
  paused_at: time.nullable(),
  evidence: evidence.nullable(),
  dkim: z.object({ selector: z.string(), algorithm: z.enum(['rsa', 'ed25519']) }),
  auth: z.object(Object.fromEntries(CHECKED.map((name) => [name, checked.nullable()]))),
  checked_at: time.nullable(),
  next_check_at: time,
  /** The first definite failure since all passed. */
  auth_failing_since: time.nullable(),
  /** A second one, an hour or more later: letters hold from here on. */
  unauthenticated_since: time.nullable(),
  sending_hosts: z.array(z.string()),
  spf_includes: z.array(z.string()),
  dmarc_rua: z.string().nullable(),
  mx_host: z.string().nullable(),
  daily_cap: z.int(),
  sent_today: z.int(),
  /** The cap, halved while the domain is warned. */
  allowance_today: z.int(),
  /** Of the last seven days, and of nothing before a resume. */
  rates: z.object({
    sent: z.int(),
    hard: z.int(),
    soft: z.int(),
    policy: z.int(),
    complaints: z.int(),
    window: z.object({ start: time, end: time }),
  }),
  warned: z.string().nullable(),
  warned_at: time.nullable(),
  resumed_at: time.nullable(),
  revision,
  /** Of its pause and settings; resuming it carries it. */
  seen: z.string(),
  created_by: principal,
  created_at: time,
  updated_at: time,
});
export type Domain = z.infer<typeof domain>;
named('Domain', domain);

const mailDomain = z
  .string()
  .max(300)
  .transform((typed, context) => {
    const read = normaliseDomain(typed);
    if (read.ok) return read.domain;
    context.addIssue({ code: 'custom', message: ADDRESS_SAYS[read.why] });
    return z.NEVER;
  });

/** A host name, or an IP address of the machine whose connection receivers see. */
const HOST = 'a host name such as mail.example.com, or an IP address';
const host = z
  .string()
  .trim()
  .regex(/^(?:[0-9a-f:.]{3,45}|[a-z0-9_-]+(?:\.[a-z0-9_-]+)+)$/i, HOST)
  .max(253)
  .transform((name) => name.toLowerCase());

/** A name that SPF may include: its labels may begin with an underscore, as in _spf.example.com. */
const dnsName = z
  .string()
  .trim()
  .max(253)
  .regex(/^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})+$/i, 'a name in DNS such as _spf.example.com')
  .transform((name) => name.toLowerCase());

const mailbox = z
  .string()
  .max(300)
  .transform((typed, context) => {
    const read = parseAddress(typed);
    if (read.ok && !read.address.utf8_local) return read.address.normalised;
    context.addIssue({
      code: 'custom',
      message: read.ok ? 'a plain address is needed' : ADDRESS_SAYS[read.why],
    });
    return z.NEVER;
  });

const settings = {
  daily_cap: z.int().min(0).max(100_000).optional(),
  sending_hosts: z.array(host).max(10).optional(),
  spf_includes: z.array(dnsName).max(10).optional(),
  dmarc_rua: mailbox.nullable().optional(),
  mx_host: mailDomain.nullable().optional(),
};

export const domainName = (which: string): string => `outreach:domain/${which}`;
export const EXAMPLE_DOMAIN = '0198c0de-0000-7000-8000-000000000061';

export const domainList = operation({
  name: 'domain_list',
  says: 'Lists sending domains, newest first, with their state, checks and metrics.',
  method: 'GET',
  path: '/api/admin/outreach/domains',
  takes: z.strictObject({ state: z.enum(STATES).optional(), ...page }),
  gives: listOf(domain),
  example: {},
  effect: 'read',
  needs: { action: 'outreach.domain.read', on: () => ['outreach:domain'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const domainCreate = operation({
  name: 'domain_create',
  says: 'Adds a sending domain, unverified, with a DKIM key of its own. Beside a domain that is paused it is paused as well.',
  method: 'POST',
  path: '/api/admin/outreach/domains',
  takes: z.strictObject({
    name: mailDomain,
    dkim_algorithm: z.enum(['rsa', 'ed25519']).default('rsa'),
    ...settings,
  }),
  gives: z.object({ domain }),
  example: { name: 'example.com' },
  effect: 'write',
  needs: { action: 'outreach.domain.create', on: () => ['outreach:domain'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: CREATED,
});

export const domainRead = operation({
  name: 'domain_read',
  says: 'Reads one sending domain.',
  method: 'GET',
  path: '/api/admin/outreach/domains/:domain',
  takes: z.strictObject({ domain: id }),
  gives: z.object({ domain }),
  example: { domain: EXAMPLE_DOMAIN },
  effect: 'read',
  needs: { action: 'outreach.domain.read', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const domainUpdate = operation({
  name: 'domain_update',
  says: 'Changes the cap of a domain and what its DNS records are to say; nothing here lifts a pause.',
  method: 'PATCH',
  path: '/api/admin/outreach/domains/:domain',
  takes: z.strictObject({ domain: id, revision, ...settings }),
  gives: z.object({ domain }),
  example: { domain: EXAMPLE_DOMAIN, revision: 1, daily_cap: 200 },
  effect: 'write',
  needs: { action: 'outreach.domain.write', on: ({ domain: which }) => [domainName(which)] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});
