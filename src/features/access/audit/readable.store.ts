// Which rows of the log a caller may read. Rows about records that their policies deny are left out. The right to read the log
// covers records that their policies don’t mention; a record’s name is shown only to people who may read the record
// (records.store.ts).
import type { Caller } from '../../../kernel/caller.ts';
import type { Reader } from '../../../kernel/database.ts';
import { unlessSaid } from '../policies/named.rules.ts';
import { allowedBy, type Condition } from '../policies/named.store.ts';

/** How the resource of a row begins, and the right to read what it names. */
const READ_BY: Record<string, string> = {
  'crm:person/': 'crm.person.read',
  'crm:company/': 'crm.company.read',
  'crm:deal/': 'crm.deal.read',
  'crm:segment/': 'crm.segment.read',
  'crm:import/': 'crm.import.read',
  'crm:bulk/': 'crm.person.write',
  'outreach:campaign/': 'outreach.campaign.read',
  'outreach:prospect/': 'outreach.prospect.read',
  'outreach:send/': 'outreach.send.read',
  'outreach:domain/': 'outreach.domain.read',
  'outreach:identity/': 'outreach.identity.read',
  'inbox:thread/': 'inbox.thread.read',
  'work:item/': 'work.item.read',
  'work:project/': 'work.project.read',
  'approval:': 'approval.read',
  'workflow:': 'workflow.read',
  'run:': 'run.read',
  'admin:user/': 'admin.user.read',
};

/** For `where`, of a log `a` with a `resource`. */
export function readable(db: Reader, { rights }: Caller): Condition {
  return Object.entries(READ_BY).reduce(
    (all, [noun, action]) => {
      const name = {
        text: db`case when a.resource ^@ ${noun}::text then substr(a.resource, ${noun.length + 1}) end`,
      };
      const may = allowedBy(db, unlessSaid(rights, action), action, { [noun]: name });
      return may === null
        ? all
        : db`${all} and (a.resource is null or not a.resource ^@ ${noun}::text or coalesce(${may}, false))`;
    },
    db`true`,
  );
}
