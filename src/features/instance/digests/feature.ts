// What the feature gives to the house: eleven digests, each a route and a tool.
import type { Feature } from '../../../kernel/house.ts';
import { activity } from './activity.ts';
import { campaign, sequence } from './campaign.ts';
import { deals } from './deals.ts';
import { held } from './held.ts';
import { instance } from './instance.ts';
import { person } from './person.ts';
import { replies } from './replies.ts';
import { sending } from './sending.ts';
import { thread } from './thread.ts';
import { digestTools } from './tools.ts';
import { work } from './work.ts';

export const digests: Feature = {
  name: 'digests',
  operations: [instance, campaign, sequence, held, sending, replies, thread, person, deals, work, activity],
  tools: digestTools,
};
