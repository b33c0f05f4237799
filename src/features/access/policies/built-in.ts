// The policies that every instance has. They are code, so they can’t be edited, deleted or replaced. Every user has `member`; a
// service token has it only if it is attached.
import type { Policy, Statement } from '../../../kernel/policy.ts';

const everywhere = (...actions: string[]): Statement[] => [{ effect: 'allow', actions, resources: ['*'] }];

export const MEMBER: Policy = {
  name: 'member',
  statements: everywhere(
    'account.read',
    'account.write',
    'digest.read',
    'admin.setting.read',
    'admin.agent.read',
    'work.project.read',
    'work.item.*',
    'work.comment.*',
    'approval.*',
    'inbox.thread.*',
    'mail.message.*',
    'chat.*',
    'workflow.read',
    'run.read',
    'run.cancel',
    'run.retry',
  ),
};

export const BUILT_IN: readonly Policy[] = [
  {
    name: 'auditor',
    statements: everywhere(
      'account.read',
      'digest.read',
      'admin.audit.read',
      'admin.user.read',
      'admin.group.read',
      'admin.policy.read',
      'admin.token.read',
      'admin.event.read',
      'admin.setting.read',
      'work.*.read',
      'approval.read',
      'run.read',
    ),
  },
  {
    name: 'crm-editor',
    statements: everywhere(
      'account.read',
      'digest.read',
      'crm.person.read',
      'crm.person.create',
      'crm.person.write',
      'crm.person.delete',
      'crm.person.merge',
      'crm.company.*',
      'crm.segment.*',
      'crm.deal.*',
      'crm.import.*',
      'crm.field.read',
      'crm.pipeline.read',
    ),
  },
  {
    name: 'inbox-agent',
    statements: everywhere(
      'account.read',
      'digest.read',
      'inbox.thread.*',
      'mail.message.*',
      'crm.person.read',
      'crm.company.read',
      'crm.deal.read',
      'outreach.campaign.read',
      'outreach.prospect.read',
      'outreach.prospect.spine',
      'outreach.suppression.read',
      'outreach.suppression.create',
    ),
  },
  MEMBER,
  {
    name: 'outreach-operator',
    statements: everywhere(
      'account.read',
      'digest.read',
      'outreach.*',
      'crm.person.read',
      'crm.company.read',
      'crm.segment.*',
      'crm.deal.read',
      'inbox.thread.read',
      'mail.message.read',
    ),
  },
  { name: 'read-all', statements: everywhere('*.read', '*.*.read') },
  {
    name: 'work-agent',
    statements: everywhere(
      'account.read',
      'digest.read',
      'work.project.read',
      'work.item.read',
      'work.item.create',
      'work.item.write',
      'work.item.move',
      'work.item.claim',
      'work.comment.read',
      'work.comment.create',
      'approval.read',
    ),
  },
];

export const builtIn = (name: string): Policy | null =>
  BUILT_IN.find((policy) => policy.name === name) ?? null;
