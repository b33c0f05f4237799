// Verifying addresses (domain.md §6.8): the ladder climbed without a letter, which is free, and by a real letter, which is
// gated as wire everywhere.
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { OK, operation } from '../../../kernel/operation.ts';
import { id, text, time } from '../../../kernel/shapes.ts';
import { RUNGS } from '../../../mail/probe/verdict.rules.ts';
import { VERDICTS } from '../../crm/people/contract.ts';

export const ADDRESSES_AT_ONCE = 50;

/** `sent` is the rung of a real letter: its answer comes later, by a report or a reply. */
const RUNG_NAMES = [...RUNGS, 'sent'] as const;

export const verified = z.object({
  /** As it was given. */
  address: z.string(),
  verdict: z.enum(VERDICTS),
  /** Tells a network that we could not reach from a mailbox that is absent. */
  reason: z.string(),
  sentence: z.string(),
  rungs: z.array(
    z.object({
      rung: z.enum(RUNG_NAMES),
      outcome: z.enum(['pass', 'fail', 'unknown', 'skipped']),
      evidence: z.string(),
      ms: z.number(),
    }),
  ),
  /** Null: no one was asked. */
  checked_at: time.nullable(),
  /** When it is worth asking again. */
  expires_at: time.nullable(),
  /** A later asking that came to nothing (no name server, no port 25): the verdict before it stays. */
  unknown: z.object({ at: time, reason: z.string(), sentence: z.string() }).nullable(),
  /** It was asked before, and no one was asked again. */
  kept: z.boolean(),
  /** Whose address it is; null also where the caller may not read them. */
  person_id: id.nullable(),
  /** The letter that was sent to find out. */
  send_id: id.nullable(),
});
export type Verified = z.infer<typeof verified>;
named('Verification', verified);

const one = '0198c0de-0000-7000-8000-000000000051';

export const verifyAddresses = operation({
  name: 'outreach_verify',
  says: 'Verifies up to 50 addresses, rung by rung, without a letter, and saves each verdict with the address; UNKNOWN replaces none. With action=send it writes a real letter to the people who have them, which needs wire.',
  method: 'POST',
  path: '/api/admin/outreach/verify',
  takes: z.strictObject({
    addresses: z.array(z.string().max(2_000)).min(1).max(ADDRESSES_AT_ONCE),
    action: z.enum(['check', 'send']).default('check'),
    /** With send: who writes, and what. */
    identity_id: id.optional(),
    subject: text(998).optional(),
    text: text(100_000).optional(),
  }),
  gives: z.object({ results: z.array(verified) }),
  example: {
    addresses: ['dana@acme.example'],
    action: 'send',
    identity_id: one,
    subject: 'Your talk in Ghent',
    text: 'Dear Dana',
  },
  effect: 'write',
  needs: { action: 'outreach.verify.check', on: () => ['outreach:verify'] },
  who: 'anyone',
  step_up: 'no',
  wire: { act: 'verify.send', when: ({ action }) => action === 'send' },
  answers: OK,
});
