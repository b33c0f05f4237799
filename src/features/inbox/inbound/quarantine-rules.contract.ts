// Rules of the quarantine, and its acts on many: mail of newsletters is dismissed from now on, or all that a filter shows at once.
// A rule is asked only about mail that would wait there: what answers a letter of ours lands, whoever wrote it.
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { CREATED, OK, operation } from '../../../kernel/operation.ts';
import { done, id, listOf, page, principal, text, time } from '../../../kernel/shapes.ts';
import { RULE_KINDS } from './quarantine/quarantine.rules.ts';

export const quarantineRule = z.object({
  id,
  kind: z.enum(RULE_KINDS),
  value: z.string(),
  /** Mails that it dismissed, those in quarantine when it was made among them. */
  matched: z.int(),
  last_matched_at: time.nullable(),
  created_by: principal,
  created_at: time,
});
export type QuarantineRule = z.infer<typeof quarantineRule>;
named('QuarantineRule', quarantineRule);

/** Which mail of the quarantine is meant; all of it where nothing is said. */
export const quarantineFilter = {
  /** An address that it is from. */
  from: text(320).optional(),
  /** The domain of that address, word for word. */
  domain: text(253).optional(),
  /** The List-Id of the mailing list that it came by. */
  list: text(300).optional(),
};
export type QuarantineFilter = {
  from?: string | undefined;
  domain?: string | undefined;
  list?: string | undefined;
};

const RULES = '/api/admin/outreach/quarantine-rules';
const example = '0198c0de-0000-7000-8000-000000000082';
const free = { who: 'anyone', step_up: 'no', wire: 'never' } as const;
const mayRead = { action: 'outreach.inbound.read', on: () => ['outreach:inbound'] };
const mayPlace = { action: 'outreach.inbound.write', on: () => ['outreach:inbound'] };
/** One act takes no more. */
export const DISMISSED_AT_ONCE = 10_000;

export const quarantineDismissMany = operation({
  ...free,
  name: 'quarantine_dismiss_many',
  says: `Dismisses many mails of the quarantine: those that are named, or with all: true everything that the filter shows, up to ${DISMISSED_AT_ONCE.toLocaleString('en-US')} at once. They stay stored and are in no list. Mail that could not be landed is dismissed only where it is named.`,
  method: 'POST',
  path: '/api/admin/outreach/quarantine/dismiss',
  takes: z.strictObject({
    mails: z.array(id).min(1).max(1_000).optional(),
    all: z.literal(true).optional(),
    ...quarantineFilter,
    /** With all: what came in later stays. */
    until: time.optional(),
  }),
  gives: z.object({ dismissed: z.int(), left: z.int() }),
  example: { all: true, domain: 'news.example' },
  effect: 'write',
  needs: mayPlace,
  answers: OK,
});

export const quarantineRuleList = operation({
  ...free,
  name: 'quarantine_rule_list',
  says: 'Lists the rules of the quarantine, newest first, with how many mails each dismissed.',
  method: 'GET',
  path: RULES,
  takes: z.strictObject({ ...page }),
  gives: listOf(quarantineRule),
  example: {},
  effect: 'read',
  needs: mayRead,
  answers: OK,
});

export const quarantineRuleCreate = operation({
  ...free,
  name: 'quarantine_rule_create',
  says: 'Creates a rule: mail from an address, a domain with its subdomains, or a mailing list is dismissed instead of waiting in quarantine, and what waits there now is dismissed too. Replies to letters still land, and a wish to unsubscribe still counts.',
  method: 'POST',
  path: RULES,
  takes: z.strictObject({ kind: z.enum(RULE_KINDS), value: text(320) }),
  gives: z.object({ rule: quarantineRule, dismissed: z.int() }),
  example: { kind: 'domain', value: 'news.example' },
  effect: 'write',
  needs: mayPlace,
  answers: CREATED,
});

export const quarantineRuleDelete = operation({
  ...free,
  name: 'quarantine_rule_delete',
  says: 'Deletes a rule of the quarantine: mail like it waits there again from now on. What it dismissed stays dismissed.',
  method: 'DELETE',
  path: `${RULES}/:rule`,
  takes: z.strictObject({ rule: id }),
  gives: done,
  example: { rule: example },
  effect: 'destroy',
  needs: mayPlace,
  answers: OK,
});
