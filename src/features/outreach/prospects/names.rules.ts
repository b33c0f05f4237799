// What policies call a prospect, and who acts where no one does.
import type { Principal } from '../../../kernel/caller.ts';

export const campaignName = (id: string): string => `outreach:campaign/${id}`;

export const prospectNames = ({ id, campaign_id }: { id: string; campaign_id: string }): string[] => [
  `outreach:prospect/${id}`,
  campaignName(campaign_id),
];

/** Whoever does what follows on its own: the next step of a sequence, the end of a hold. */
export const STEPPING: Principal = { kind: 'system', id: 'prospects', name: 'the sequence' };
