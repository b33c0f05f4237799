// What the warden looks at, as a reader of a digest sees it: the number it has, and what it may reach (domain.md §1.6). The
// rules themselves are the warden's; a test holds that the two say the same.
import type { Domain } from '../../../outreach/domains/contract.ts';

export type Limit = {
  reason: string;
  count: number;
  rate: number | null;
  warn: string;
  pause: string;
  floor: number;
};

/** From so many letters on complaints are a share and no number. */
const MANY = 1_000;

export const HARD = { warn: 0.03, pause: 0.05, at_least: 3, floor: 50 } as const;
export const POLICY = { warn: 2, pause: 5, share: 0.1, floor: 20 } as const;
export const COMPLAINTS = { warn: 1, pause: 2, share: 0.001 } as const;

const percent = (share: number): string => `${Number((share * 100).toFixed(2))} %`;
const rateOf = (count: number, of: number): number | null =>
  of === 0 ? null : Math.round((count / of) * 10_000) / 10_000;

export function limitsOf({ rates: { sent, hard, policy, complaints } }: Pick<Domain, 'rates'>): Limit[] {
  return [
    {
      reason: 'hard_bounces',
      count: hard,
      rate: rateOf(hard, sent),
      warn: percent(HARD.warn),
      pause: `${percent(HARD.pause)} and ${HARD.at_least} bounces`,
      floor: HARD.floor,
    },
    {
      reason: 'complaints',
      count: complaints,
      rate: rateOf(complaints, sent),
      warn: String(COMPLAINTS.warn),
      pause: sent >= MANY ? percent(COMPLAINTS.share) : String(COMPLAINTS.pause),
      floor: 0,
    },
    {
      reason: 'policy_rejections',
      count: policy,
      rate: rateOf(policy, sent),
      warn: String(POLICY.warn),
      pause: `${POLICY.pause}, or ${percent(POLICY.share)}`,
      floor: POLICY.floor,
    },
  ];
}
