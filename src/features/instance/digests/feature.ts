// The feature’s parts: eleven digests, each a route and a tool.
import type { Feature } from '../../../kernel/app.ts';
import { activity } from './desk/activity.ts';
import { campaign, sequence } from './outreach/campaign.ts';
import { deals } from './people/deals.ts';
import { held } from './outreach/held.ts';
import { instance } from './desk/instance.ts';
import { person } from './people/person.ts';
import { replies } from './people/replies.ts';
import { sending } from './outreach/sending.ts';
import { thread } from './people/thread.ts';
import { digestTools } from './tools.ts';
import { work } from './desk/work.ts';

export const digests: Feature = {
  name: 'digests',
  operations: [instance, campaign, sequence, held, sending, replies, thread, person, deals, work, activity],
  tools: digestTools,
};
