// The digest of one person: who they are, whether they may be written to, and where they are everywhere.
import { decide } from '../../../../kernel/policy.ts';
import { invalid, notFound } from '../../../../kernel/refusal.ts';
import { bind, type ReadContext } from '../../../../kernel/context.ts';
import { dealList } from '../../../crm/deals/contract.ts';
import { personList, personRead } from '../../../crm/people/contract.ts';
import { prospectNames } from '../../../outreach/prospects/names.rules.ts';
import { threadList } from '../../../inbox/threads/contract.ts';
import type { Next } from '../frame.contract.ts';
import { reasonsAmong } from '../../../outreach/deliveries/report.store.ts';
import { readable } from '../../../outreach/sends/letter/send.store.ts';
import { notTaken } from '../outreach/not-taken.ts';
import { lettersOfPerson } from '../outreach/letters.store.ts';
import { personDigest } from '../people.contract.ts';
import { campaignsOfPerson } from './people.store.ts';
import { threadLine } from './replies.ts';
import { fewOf, fewOfPage, framed, isShown, LINES_MAX, section, short, shortOrNull } from '../section.ts';

const TAGS_MAX = 20;
const LETTERS = 'outreach.send.read';
const ONE_OF_TWO = 'give either person_id or address';

export const person = bind(personDigest, async (context, { person_id, address }) => {
  if ((person_id === undefined) === (address === undefined))
    throw invalid(ONE_OF_TWO, { person_id: ONE_OF_TWO });
  const { db, now, caller } = context;
  const shown = await section(context, 'crm.person.read', null, () => personOf(context, person_id, address));
  const id = isShown(shown) ? shown.person_id : person_id;
  if (id === undefined) {
    if (isShown(shown)) throw new Error('somebody who was found has an id');
    // Whoever may not read people is not told whose an address is.
    const sections = {
      person: shown,
      campaigns: shown,
      letters: shown,
      not_taken: shown,
      threads: shown,
      deals: shown,
    };
    return framed(context, sections, []);
  }
  const prospects = 'outreach.prospect.read';
  const campaigns = await section(context, prospects, null, async () => {
    const rows = (await campaignsOfPerson(db, id)).filter(
      (row) => decide(caller.rights, prospects, prospectNames(row)).allowed,
    );
    return fewOf(rows, (row) => ({
      prospect_id: row.id,
      campaign_id: row.campaign_id,
      campaign: short(row.campaign),
      stage: row.stage,
      stage_at: row.stage_at.toISOString(),
      ended: row.ended,
      hold: row.hold_by !== null && (row.hold_until === null || row.hold_until > now) ? row.hold_by : null,
      next_at: row.due_at?.toISOString() ?? null,
    }));
  });
  const letters = await section(context, LETTERS, null, async () => {
    const sums: Record<string, number> = {};
    for (const { state, count } of await lettersOfPerson(db, caller, id))
      sums[state] = (sums[state] ?? 0) + count;
    return sums;
  });
  const not_taken = await section(context, LETTERS, null, async () =>
    notTaken(await reasonsAmong(db, { person: id }, readable(db, caller, LETTERS))),
  );
  const threads = await section(context, 'inbox.thread.read', null, async () =>
    fewOfPage(await context.invoke(threadList, { person: id, limit: LINES_MAX }), (row) => ({
      ...threadLine(row),
      touches: row.touch_count,
      waiting: row.waiting,
    })),
  );
  const deals = await section(context, 'crm.deal.read', null, async () =>
    fewOfPage(await context.invoke(dealList, { person: id, limit: LINES_MAX }), (row) => ({
      deal_id: row.id,
      name: short(row.name),
      state: row.state,
      stage: row.stage,
      amount: row.amount,
      currency: row.currency,
    })),
  );
  return framed(context, { person: shown, campaigns, letters, not_taken, threads, deals }, nextOf(id));
});

async function personOf(context: ReadContext, person_id: string | undefined, address: string | undefined) {
  const { person: row } = await context.invoke(personRead, {
    person: person_id ?? (await idOf(context, address ?? '')),
  });
  return {
    person_id: row.id,
    name: short(row.name, 120),
    title: shortOrNull(row.title),
    company: shortOrNull(row.company?.name ?? null),
    basis: row.basis,
    source: shortOrNull(row.source),
    country: row.country,
    timezone: row.timezone,
    tags: row.tags.slice(0, TAGS_MAX).map((tag) => short(tag, 60)),
    suppressed: row.suppressed && {
      reason: row.suppressed.reason,
      since: row.suppressed.since,
      via: row.suppressed.via,
    },
    addresses: row.addresses.map(({ value, primary, verification }) => ({
      address: value,
      primary,
      verdict: verification?.verdict ?? null,
      reason: verification?.reason ?? null,
      checked_at: verification?.checked_at ?? null,
    })),
  };
}

async function idOf(context: ReadContext, address: string): Promise<string> {
  const { items } = await context.invoke(personList, { address, limit: 1 });
  const [found] = items;
  if (!found) throw notFound('person you have access to', 'people_search finds people by name', 'address');
  return found.id;
}

const nextOf = (id: string): Next[] => [
  {
    what: 'Read the full record.',
    with: `GET /api/admin/crm/people/${id}`,
    who: 'agent',
  },
  { what: 'Update their record.', with: `PATCH /api/admin/crm/people/${id}`, who: 'agent' },
  {
    what: 'Verify their address.',
    with: 'outreach_verify_email {"action": "check", …}',
    who: 'agent',
  },
  { what: 'Stop every letter to them.', with: 'suppress {"address": …}', who: 'agent' },
  { what: 'Enrol them into a campaign.', with: 'sequence_enrol {"campaign": …, "people": …}', who: 'wire' },
];
