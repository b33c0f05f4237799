// Handlers of the rules of the quarantine and of dismissing many.
import { z } from 'zod';
import type { Caller } from '../../../kernel/caller.ts';
import { denied } from '../../../kernel/denied.ts';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { decide } from '../../../kernel/policy.ts';
import { invalid } from '../../../kernel/refusal.ts';
import { type Bound, bind } from '../../../kernel/context.ts';
import { id, time } from '../../../kernel/shapes.ts';
import { addressHash } from '../../../mail/address.ts';
import {
  quarantineDismissMany,
  type QuarantineFilter,
  quarantineRuleCreate,
  quarantineRuleDelete,
  quarantineRuleList,
} from './quarantine-rules.contract.ts';
import {
  ANY,
  countAmong,
  deleteRule,
  dismissAll,
  insertRule,
  type MayDismiss,
  rulesListed,
  type WhichSenders,
} from './quarantine/quarantine-rules.store.ts';
import { type RuleKind, ruleValue } from './quarantine/quarantine.rules.ts';

/** What a filter names, in the spelling of its rows; every field that is wrong is told of. */
export function whichOf({ from, domain, list }: QuarantineFilter): WhichSenders {
  const faults: Record<string, string> = {};
  const read = (kind: RuleKind, field: string, said: string | undefined): string | null => {
    if (said === undefined) return null;
    const given = ruleValue(kind, said);
    if ('value' in given) return given.value;
    // A filter may name a provider; only a rule may not.
    if (kind === 'domain' && given.fault.includes('public')) return said.trim().toLowerCase();
    faults[field] = given.fault.replace(/^value/, field);
    return null;
  };
  const address = read('address', 'from', from);
  const which = {
    ...ANY,
    from_hash: address === null ? null : addressHash(address),
    domain: read('domain', 'domain', domain),
    list_id: read('list', 'list', list),
  };
  if (Object.keys(faults).length > 0)
    throw invalid('this filter can’t match any mail: details.fields lists the reasons', faults);
  return which;
}

const WRITE = 'outreach.inbound.write';
/** What one mail's own act asks of policies, an act on many asks of each. */
const mayDismiss =
  ({ rights }: Caller): MayDismiss =>
  (id) =>
    decide(rights, WRITE, [`outreach:inbound/${id}`]).allowed;

const dismissMany = bind(quarantineDismissMany, async (context, { mails, all, until, ...filter }) => {
  const { db, now } = context;
  if ((mails === undefined) === (all === undefined)) {
    const says = 'give either mails, or all: true with a filter';
    throw invalid(says, { mails: says });
  }
  if (
    mails !== undefined &&
    (until !== undefined || Object.values(filter).some((each) => each !== undefined))
  ) {
    const says = 'filter needs all: true; leave it out when you give mails';
    throw invalid(says, { mails: says });
  }
  const which = mails === undefined ? whichOf(filter) : ANY;
  const meant = { ...which, ids: mails ?? null, until: until === undefined ? null : new Date(until) };
  context.about('outreach:inbound');
  const may = mayDismiss(context.caller);
  const barred = mails?.find((mail) => !may(mail));
  if (barred !== undefined) throw denied(context.caller, WRITE, `outreach:inbound/${barred}`);
  const dismissed = await dismissAll(db, meant, may, 'Dismissed by hand, with others.', now);
  context.tell('inbound', '');
  return { dismissed, left: await countAmong(db, meant, may) };
});

const list = bind(quarantineRuleList, async ({ db }, { limit, cursor }) => {
  const after = keyIn(cursor, () => z.tuple([time, id]));
  return pageOf(await rulesListed(db, after, limit + 1), limit, (row) => [row.created_at, row.id]);
});

const create = bind(quarantineRuleCreate, async (context, { kind, value: said }) => {
  const { db, caller, now } = context;
  const given = ruleValue(kind, said);
  if ('fault' in given) throw invalid(given.fault, { value: given.fault });
  const { value } = given;
  const value_hash = kind === 'address' ? addressHash(value) : null;
  const which: WhichSenders = {
    ...ANY,
    from_hash: value_hash,
    domain: kind === 'domain' ? value : null,
    under: true,
    list_id: kind === 'list' ? value : null,
  };
  const dismissed = await dismissAll(db, which, mayDismiss(caller), 'Dismissed by a rule.', now);
  const rule = await insertRule(db, { kind, value, value_hash }, dismissed, caller.principal, now);
  context.about(`outreach:inbound/${rule.id}`);
  context.tell('inbound', '');
  return { rule, dismissed };
});

const remove = bind(quarantineRuleDelete, async (context, { rule }) => {
  context.about(`outreach:inbound/${rule}`);
  await deleteRule(context.db, rule);
  context.tell('inbound', rule);
  return { ok: true as const };
});

export const quarantineRuleHandlers: Bound[] = [dismissMany, list, create, remove];
