// What finding people knows of campaigns, and no more: outreach states it, and features.ts hands it over.
import type { ReadScene } from '../../../kernel/scene.ts';

/**
 * The campaigns in which the caller may read who stands where; null: in all of them. Of the one that is named, or of any; throws
 * where that one is not there for them. So nobody is found by where they stand in a campaign whose people the caller may not read.
 */
export type CampaignsRead = (scene: ReadScene, campaign: string | null) => Promise<string[] | null>;
