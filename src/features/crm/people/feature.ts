// People as a feature. It is given the features that have data about a person, and what finds campaigns, because it depends on
// none of them.
import type { Feature } from '../../../kernel/app.ts';
import { actHandlers } from './acts.handlers.ts';
import { exportPeople } from './export.handlers.ts';
import type { CampaignsRead, PersonHolder } from './holders.ts';
import { peopleHandlers } from './people.handlers.ts';
import { peopleTools } from './tools.ts';

export const people = (holders: readonly PersonHolder[], campaigns: CampaignsRead): Feature => ({
  name: 'people',
  operations: [...peopleHandlers(holders, campaigns), ...actHandlers(holders), exportPeople(campaigns)],
  tools: peopleTools,
});
