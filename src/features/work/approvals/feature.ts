// Approvals as a feature. It is made with its subjects, because it depends on none of them.
import type { Feature } from '../../../kernel/app.ts';
import { approvalHandlers } from './handlers.ts';
import { approvalNotices } from './notices.pass.ts';
import type { Subject } from './subject.ts';
import { approvalsInbox, decideTool } from './tools.ts';

export const approvals = (subjects: Subject[]): Feature => ({
  name: 'approvals',
  operations: approvalHandlers(subjects),
  tools: [approvalsInbox, decideTool],
  passes: [approvalNotices(subjects)],
});
