// Which letters wait for a person, and what a confirmation and a policy were bound to (domain.md §1.2). Pure.
import type { Caller } from '../../../kernel/caller.ts';
import { actsWithWire } from '../../../kernel/gates.ts';
import { decide } from '../../../kernel/policy.ts';
import { conflict, invalid, type Refusal } from '../../../kernel/refusal.ts';
import type { Campaign, ReviewPolicy } from './contract.ts';
import { campaignName } from './rules.ts';

type Confirmed = Pick<Campaign, 'no_human_review' | 'sequence_revision'>;

export const isConfirmed = ({ no_human_review }: Pick<Campaign, 'no_human_review'>): boolean =>
  no_human_review !== null && !no_human_review.stale;

/** `none` is on a confirmation of the very steps that are now. */
export function refusedPolicy(campaign: Confirmed, wanted: ReviewPolicy): Refusal | null {
  if (wanted !== 'none' || isConfirmed(campaign)) return null;
  const revision = campaign.sequence_revision;
  return conflict(
    `letters can’t skip review until the current steps are confirmed: use PUT …/no-human-review with confirmed true and sequence_revision ${revision}`,
    { sequence_revision: revision },
  );
}

export function refusedConfirmation(
  { sequence_revision }: Pick<Campaign, 'sequence_revision'>,
  read: number,
): Refusal | null {
  if (sequence_revision === read) return null;
  return conflict(
    `the steps changed since you read them: the current revision is ${sequence_revision}. Read them again before you confirm.`,
    { sequence_revision },
  );
}

type PoolEntry = Campaign['identity_pool'][number];

/** Every identity once, each one there, and as it was read. `known` holds those that are, with the seen of each. */
export function refusedPool(
  pool: readonly (PoolEntry & { seen?: string | undefined })[],
  known: ReadonlyMap<string, string>,
): Refusal | null {
  const other = pool.find(
    ({ identity_id, seen }) =>
      seen !== undefined && known.has(identity_id) && known.get(identity_id) !== seen,
  );
  if (other)
    return conflict(
      'an identity in this pool changed since you read it: read the pool again before you decide',
      {
        identity_id: other.identity_id,
      },
    );
  const faults = pool.flatMap(({ identity_id }, at): [string, string][] => {
    const name = `identity_pool.${at}.identity_id`;
    if (!known.has(identity_id)) return [[name, `${name}: no identity has that id`]];
    const first = pool.findIndex((entry) => entry.identity_id === identity_id);
    return first === at ? [] : [[name, `${name}: it is already in the pool`]];
  });
  if (faults.length === 0) return null;
  const [[, says] = ['', '']] = faults;
  return invalid(
    faults.length > 1 ? `${says}; and ${faults.length - 1} more` : says,
    Object.fromEntries(faults),
  );
}

/** Whether an edit of a campaign by this caller may be as if its review had been set for it: what only wire act 6 could do. */
export const maySetReview = (caller: Caller, campaign: string): boolean =>
  actsWithWire(caller) && decide(caller.rights, 'outreach.campaign.review', [campaignName(campaign)]).allowed;
