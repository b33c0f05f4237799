// The tool by which an agent puts an act before a person.
import { z } from 'zod';
import { tool, WRITES } from '../../../kernel/tool.ts';
import { proposalCreate } from './contract.ts';

export const proposeTool = tool({
  name: 'propose',
  title: 'Propose an act to a person',
  says: 'Puts an act you can’t do (wire_required, “a person signs this”) before a person, or a plan of steps. act: a tool or operation name. A later step takes {"$from":"steps.0.campaign.id"}. Answers with what would happen and sign_at, where they sign. rehearse_only proposes nothing.',
  hints: WRITES,
  takes: z.strictObject({
    act: z.string().optional(),
    arguments: z.record(z.string(), z.unknown()).optional(),
    steps: z.array(z.record(z.string(), z.unknown())).optional(),
    why: z.string(),
    expires_in_hours: z.int().optional(),
    supersedes: z.string().optional(),
    key: z.string().optional(),
    again: z.boolean().optional(),
    rehearse_only: z.boolean().optional(),
  }),
  example: {
    act: 'campaign_activate',
    arguments: { campaign: '0198c0de-0000-7000-8000-000000000003' },
    why: 'The steps are ready.',
  },
  sparse: true,
  calls: [proposalCreate],
  pick: (args) => ({ operation: proposalCreate, arguments: args }),
});
