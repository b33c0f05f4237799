// The digest of one person: who they are, whether they may be written to, and where they are everywhere.
import { decide } from '../../../../kernel/policy.ts';
import { invalid, notFound } from '../../../../kernel/refusal.ts';
import { bind, type ReadContext } from '../../../../kernel/context.ts';
import { screenUrl } from '../../../../kernel/links.rules.ts';
import { mayReadMessage } from '../../../../kernel/messages.ts';
import { personNote } from '../../../crm/people/person-acts.contract.ts';
import { suppressionAdd } from '../../../crm/suppressions/contract.ts';
import { campaignEnrol } from '../../../outreach/prospects/enrol.contract.ts';
import { verifyAddresses } from '../../../outreach/verification/contract.ts';
import { visibleIds } from '../../../work/work/projects.store.ts';
import { dealList } from '../../../crm/deals/contract.ts';
import { personList, personRead } from '../../../crm/people/contract.ts';
import { prospectNames } from '../../../outreach/prospects/names.rules.ts';
import { threadList } from '../../../inbox/threads/contract.ts';
import { reasonsAmong } from '../../../outreach/deliveries/report.store.ts';
import { readable } from '../../../outreach/sends/letter/send.store.ts';
import { notTaken } from '../outreach/not-taken.ts';
import { lettersOfPerson } from '../outreach/letters.store.ts';
import { personDigest } from '../people.contract.ts';
import { moneyOf } from './deals.ts';
import { campaignsOfPerson, cardsOfPerson, latestTouches, notesOfPerson } from './people.store.ts';
import { threadLine } from './replies.ts';
import { fewOf, fewOfAll, framed, isShown, section, short, shortOrNull, within } from '../section.ts';

const TAGS_MAX = 20;
/** Of messages, notes and cards. */
const LATEST = 5;
const LOOKED_AT = 50;
const NOTE_MAX = 200;
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
      messages: shown,
      notes: shown,
      cards: shown,
      deals: shown,
      open_at: null,
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
  const threads = await section(context, 'inbox.thread.read', null, () =>
    fewOfAll(
      (cursor) => context.invoke(threadList, { person: id, limit: 200, cursor }),
      (row) => ({ ...threadLine(row), touches: row.touch_count, waiting: row.waiting }),
    ),
  );
  const messages = await section(context, 'mail.message.read', null, async () => {
    const rows = (await latestTouches(db, id, LOOKED_AT)).filter((row) => mayReadMessage(caller.rights, row));
    const whole = rows.length < LOOKED_AT;
    const some = fewOf(
      rows,
      (row) => ({
        touch_id: row.id,
        thread_id: row.thread_id,
        at: row.at.toISOString(),
        direction: row.direction,
        channel: row.channel,
        subject: short(row.subject ?? ''),
        reading: row.reading,
      }),
      { max: LATEST },
    );
    return whole ? some : { ...some, more: true as const };
  });
  // Of a person whom the caller may read, and of no one else.
  const notes = isShown(shown)
    ? await notesOfPerson(db, id, LATEST).then(({ rows, count }) =>
        fewOf(
          rows,
          ({ text, by, at }) => ({ note: short(text ?? '', NOTE_MAX), by: short(by), at: at.toISOString() }),
          { count },
        ),
      )
    : shown;
  const cards = await section(context, 'work.item.read', null, async () => {
    const { rows, count } = await cardsOfPerson(
      db,
      caller,
      await visibleIds(db, caller, 'work.item.read'),
      id,
      LATEST,
    );
    return fewOf(
      rows,
      (row) => ({
        item_id: row.id,
        key: row.key,
        title: short(row.title),
        status: row.status,
        due_on: row.due_on,
      }),
      { count },
    );
  });
  const deals = await section(context, 'crm.deal.read', null, () =>
    fewOfAll(
      (cursor) => context.invoke(dealList, { person: id, limit: 200, cursor }),
      (row) => ({
        deal_id: row.id,
        name: short(row.name),
        state: row.state,
        stage: row.stage,
        value: row.amount === null || row.currency === null ? null : moneyOf(row.amount, row.currency),
      }),
    ),
  );
  const open_at = screenUrl(context.app.instance, 'person', id);
  const sections = {
    person: shown,
    campaigns,
    letters,
    not_taken,
    threads,
    messages,
    notes,
    cards,
    deals,
    open_at,
  };
  const refuses =
    within(shown, ({ suppressed }) => suppressed !== null, true) ||
    within(campaigns, ({ lines }) => lines.some(({ stage }) => stage === 'unsubscribed'), false);
  const primary = within(shown, (found) => found.addresses.find((each) => each.primary)?.address, undefined);
  return framed(context, sections, [
    { what: 'Read the full record.', does: personRead, with: { person: id }, open_at },
    isShown(shown) && { what: 'Add a note.', does: personNote, with: { person: id }, open_at },
    primary !== undefined &&
      !refuses && {
        what: 'Verify their address.',
        does: verifyAddresses,
        tool: 'outreach_verify_email',
        with: { address: primary, action: 'check' },
        open_at,
      },
    primary !== undefined &&
      !refuses && {
        what: 'Stop every letter to them.',
        does: suppressionAdd,
        tool: 'suppress',
        with: { address: primary },
        open_at,
      },
    !refuses && {
      what: 'Enrol them into a campaign.',
      does: campaignEnrol,
      tool: 'sequence_enrol',
      with: { people: [id] },
      open_at,
      sign_at: open_at,
    },
  ]);
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
