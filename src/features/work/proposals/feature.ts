// Proposals as a feature. It is made with its binding to later areas and with the subjects of approvals.
import type { Feature } from '../../../kernel/app.ts';
import type { Subject } from '../approvals/subject.ts';
import type { Binding } from './binding.ts';
import { proposalExpiry } from './expiry.pass.ts';
import { proposalHandlers } from './handlers.ts';
import { proposeTool } from './tools.ts';

export const proposals = (binding: Binding, subjects: readonly Subject[]): Feature => ({
  name: 'proposals',
  operations: proposalHandlers(binding, subjects),
  tools: [proposeTool],
  passes: [proposalExpiry],
});
