// Tools of people in campaigns. `sequence_enrol` is wire act 5: its operation asks for the scope, and so does what it calls.
import { z } from 'zod';
import { ON_THE_WIRE, tool, type Tool, WRITES_ONCE } from '../../../kernel/tool.ts';
import { STAGES } from '../../crm/people/stages.rules.ts';
import { campaignSpine, exampleProspect, prospectSpine } from './contract.ts';
import { campaignEnrol, PEOPLE_MAX } from './enrol.contract.ts';

export const prospectTools: Tool[] = [
  tool({
    name: 'sequence_enrol',
    title: 'Enrol people into a sequence',
    says: 'Enrols people (up to 500 ids) or a segment into a campaign. Returns how many, and who was refused and why. Needs wire, except with dry_run: true, which saves nothing.',
    hints: { ...ON_THE_WIRE, idempotentHint: true },
    takes: z.strictObject({
      campaign: z.string(),
      people: z.array(z.string()).max(PEOPLE_MAX).optional(),
      segment: z.string().optional(),
      dry_run: z.boolean().optional(),
    }),
    example: { campaign: exampleProspect, people: [exampleProspect] },
    calls: [campaignEnrol],
    pick: (args) => ({ operation: campaignEnrol, arguments: args }),
  }),
  tool({
    name: 'spine_move',
    title: 'Move a person on the spine',
    says: 'Moves someone forward in a campaign, by prospect_id, or by campaign and person_id. Never an error: the sentence says what happened. unsubscribed also suppresses. meeting and won are set by people, deals and workflows.',
    hints: WRITES_ONCE,
    takes: z.strictObject({
      prospect_id: z.string().optional(),
      campaign: z.string().optional(),
      person_id: z.string().optional(),
      stage: z.enum(STAGES),
      reason: z.string().optional(),
    }),
    example: { prospect_id: exampleProspect, stage: 'positive' },
    calls: [prospectSpine, campaignSpine],
    pick: ({ prospect_id, campaign, ...args }) =>
      prospect_id === undefined
        ? { operation: campaignSpine, arguments: { campaign, ...args } }
        : {
            operation: prospectSpine,
            arguments: { prospect: prospect_id, ...(campaign !== undefined && { campaign }), ...args },
          },
  }),
];
