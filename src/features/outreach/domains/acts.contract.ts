// What is done to a sending domain: its records and evidence are read, it is checked, paused, retired, and resumed, which
// alone is wire act 7 (domain.md §1.6, §4.1).
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { OK, operation } from '../../../kernel/operation.ts';
import { id, page, principal, seenIn, text, time } from '../../../kernel/shapes.ts';
import { deliveryReason } from '../deliveries/report.contract.ts';
import { domain, domainName, evidence, EXAMPLE_DOMAIN } from './contract.ts';

const PATH = '/api/admin/outreach/domains/:domain';
const takes = z.strictObject({ domain: id });
const gives = z.object({ domain });
const example = { domain: EXAMPLE_DOMAIN };
const on = ({ domain: which }: { domain: string }): string[] => [domainName(which)];

const reads = {
  effect: 'read',
  needs: { action: 'outreach.domain.read', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
} as const;

/** Stopping and looking need no scope. */
const free = { effect: 'write', who: 'anyone', step_up: 'no', wire: 'never', answers: OK } as const;

export const domainRecords = operation({
  ...reads,
  name: 'domain_records',
  says: 'Lists the DNS records to publish for a domain, as they are to be copied, with what each is good for.',
  method: 'GET',
  path: `${PATH}/records`,
  takes,
  gives: z.object({
    records: z.array(
      z.object({
        type: z.enum(['TXT', 'MX']),
        name: z.string(),
        value: z.string(),
        why: z.string(),
        /** Whether the last check found it. */
        present: z.enum(['passing', 'failing', 'unknown']),
      }),
    ),
  }),
  example,
});

export const pause = z.object({
  id,
  paused_by: z.enum(['warden', 'person']),
  reason: z.string(),
  evidence: evidence.nullable(),
  by_name: z.string(),
  at: time,
  resumed_by: principal.nullable(),
  resumed_at: time.nullable(),
});
export type Pause = z.infer<typeof pause>;
named('DomainPause', pause);

export const domainEvidence = operation({
  ...reads,
  name: 'domain_evidence',
  says: 'Reads what the present pause of a domain rests on, why its letters were not taken in the last seven days, with the servers’ own words, and every pause it ever had, newest first.',
  method: 'GET',
  path: `${PATH}/evidence`,
  takes: z.strictObject({ domain: id, ...page }),
  gives: z.object({
    evidence: evidence.nullable(),
    /** Why its letters were not taken within the warden's window, most letters first, of those that you may read. */
    reasons: z.array(deliveryReason),
    items: z.array(pause),
    next_cursor: z.string().nullable(),
  }),
  example,
});

export const domainCheck = operation({
  ...free,
  name: 'domain_check',
  says: 'Checks SPF, DKIM, DMARC, MX and PTR of a domain now. The first time all pass it becomes active; a pause stays.',
  method: 'POST',
  path: `${PATH}/check`,
  takes,
  gives,
  example,
  needs: { action: 'outreach.domain.check', on },
});

export const domainPause = operation({
  ...free,
  name: 'domain_pause',
  says: 'Pauses a domain: each of its letters holds as it falls due, and none leaves until the domain is resumed.',
  method: 'POST',
  path: `${PATH}/pause`,
  takes: z.strictObject({ domain: id, reason: text(300).optional() }),
  gives,
  example,
  needs: { action: 'outreach.domain.pause', on },
});

export const domainRetire = operation({
  ...free,
  name: 'domain_retire',
  says: 'Retires a domain for good: its identities become inactive, and its name is not added again.',
  method: 'POST',
  path: `${PATH}/retire`,
  takes,
  gives,
  example,
  needs: { action: 'outreach.domain.retire', on },
});

export const domainResume = operation({
  name: 'domain_resume',
  says: 'Lifts the pause of a domain: its letters go on, at half of what its identities were allowed. Where it changed since the seen that this carries, it is refused.',
  method: 'POST',
  path: `${PATH}/resume`,
  takes: takes.extend({ seen: seenIn('domain_read') }),
  gives,
  example,
  effect: 'write',
  needs: { action: 'outreach.domain.resume', on },
  who: 'anyone',
  step_up: 'no',
  wire: { act: 'domain.resume' },
  answers: OK,
});
