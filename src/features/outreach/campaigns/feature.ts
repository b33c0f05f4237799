import type { Feature } from '../../../kernel/app.ts';
import type { Resource } from '../../../kernel/tool.ts';
import { campaignsByName } from './by-name.store.ts';
import { checkHandlers } from './checks.handlers.ts';
import { exportCampaigns } from './export.handlers.ts';
import { metricsHandlers } from './metrics.handlers.ts';
import { campaignHandlers } from './handlers.ts';
import { reviewHandlers } from './review.handlers.ts';
import { runningHandlers } from './running.handlers.ts';

const resources: Resource[] = [
  {
    uri: 'service://campaigns',
    name: 'Campaigns',
    says: 'Every campaign on the instance with its state and counts.',
    operation: 'campaign_list',
    arguments: {},
  },
  {
    uri: 'service://campaign/{id}/overview',
    name: 'Campaign overview',
    says: "One campaign's figures and the attention it asks for.",
    operation: 'campaign_overview',
    arguments: {},
  },
];

export const campaigns: Feature = {
  name: 'campaigns',
  operations: [
    ...campaignHandlers,
    ...runningHandlers,
    ...reviewHandlers,
    ...checkHandlers,
    ...metricsHandlers,
    exportCampaigns,
  ],
  resources,
  by_name: [campaignsByName],
};
