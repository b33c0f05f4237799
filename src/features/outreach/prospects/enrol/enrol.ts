// Enrolling: many people into a campaign in one transaction, all that nothing is against. It asks for wire itself, because
// it writes many rows and more than one route could come to it (domain.md §5, 7).
import { type Caller } from '../../../../kernel/caller.ts';
import { withoutWire } from '../../../../kernel/gates.ts';
import type { Reader, Transaction } from '../../../../kernel/database.ts';
import { decide } from '../../../../kernel/policy.ts';
import { conflict, stop } from '../../../../kernel/refusal.ts';
import { refusedArchived } from '../../campaigns/rules.ts';
import { loadCampaign, lockCampaign, type LoadedCampaign } from '../../campaigns/store.ts';
import { loadSegment, peopleOfSegment } from '../../../crm/segments/store.ts';
import { type Enrolment, REFUSED_LISTED_MAX, SEGMENT_MAX } from '../enrol.contract.ts';
import { enrolledSentence, refusedEnrolment } from './enrol.rules.ts';
import { type Candidate, candidates, holdPeople, insertProspects } from './enrol.store.ts';

/** By ids, or everyone whom a segment has at this moment. */
export type Whom =
  | { people: readonly string[] }
  /** `of`: who the segment had when this was agreed to; null: whoever it has now. */
  | { segment: string; of: ReadonlySet<string> | null };

const ACTION = 'outreach.prospect.enrol';
const CHANGED_MEANWHILE =
  'this segment changed while its people were being enrolled, so no one was enrolled: check it and try again';
const AT_ONCE = 2_000;

/** Enrols; only a caller who may put letters on the wire, whatever route they came on. */
export async function enrol(
  tx: Transaction,
  caller: Caller,
  campaign_id: string,
  whom: Whom,
  now: Date,
): Promise<Enrolment> {
  stop(withoutWire(caller));
  const campaign = await lockCampaign(tx, caller, ACTION, campaign_id);
  stop(refusedArchived(campaign));
  const ids = await idsOf(tx, caller, whom, now);
  const account = openAccount();
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE);
    await holdPeople(tx, some);
    const able = await judge(tx, caller, campaign, some, account, now);
    account.enrolled += await insertProspects(tx, campaign.id, able, caller.principal, now);
  }
  return answer(campaign, account, false);
}

/** What enrolling would come to: it writes nothing. */
export async function wouldEnrol(
  db: Reader,
  caller: Caller,
  campaign_id: string,
  whom: Whom,
  now: Date,
): Promise<Enrolment> {
  const campaign = await loadCampaign(db, caller, ACTION, campaign_id);
  stop(refusedArchived(campaign));
  const ids = await idsOf(db, caller, whom, now);
  const account = openAccount();
  for (let at = 0; at < ids.length; at += AT_ONCE)
    account.enrolled += (await judge(db, caller, campaign, ids.slice(at, at + AT_ONCE), account, now)).length;
  return answer(campaign, account, true);
}

/** In the order of the ids, each once: everyone who takes many people takes them so. */
async function idsOf(db: Reader, caller: Caller, whom: Whom, now: Date): Promise<string[]> {
  if ('people' in whom) return [...new Set(whom.people.map((id) => id.toLowerCase()))].sort();
  const segment = await loadSegment(db, caller, 'crm.segment.read', whom.segment);
  const ids = await peopleOfSegment(db, caller, segment, null, SEGMENT_MAX + 1, now);
  const { of } = whom;
  if (of && ids.some((id) => !of.has(id))) throw conflict(CHANGED_MEANWHILE);
  if (ids.length <= SEGMENT_MAX) return ids;
  const most = SEGMENT_MAX.toLocaleString('en-US');
  throw conflict(
    `this segment has more than ${most} people, the most one call can enrol: narrow it with another condition. No one was enrolled.`,
    { segment_id: segment.id, most: SEGMENT_MAX },
  );
}

type Account = Pick<Enrolment, 'enrolled' | 'refused' | 'refused_by'>;
const openAccount = (): Account => ({ enrolled: 0, refused: [], refused_by: {} });

/** Ids of those whom nothing is against; the others go into the account. */
async function judge(
  db: Reader,
  caller: Caller,
  campaign: LoadedCampaign,
  ids: readonly string[],
  account: Account,
  now: Date,
): Promise<string[]> {
  const found = await candidates(db, campaign, ids, now);
  const able: string[] = [];
  for (const candidate of found.sort((a, b) => (a.person_id < b.person_id ? -1 : 1))) {
    const refused = refusedEnrolment(asSeen(caller, candidate));
    if (refused === null) {
      able.push(candidate.person_id);
      continue;
    }
    account.refused_by[refused.why] = (account.refused_by[refused.why] ?? 0) + 1;
    if (account.refused.length < REFUSED_LISTED_MAX)
      account.refused.push({ person_id: candidate.person_id, ...refused });
  }
  return able;
}

/** No one is told of people or campaigns whom they may not read. */
function asSeen(caller: Caller, candidate: Candidate): Candidate {
  const mayRead = decide(caller.rights, 'crm.person.read', [`crm:person/${candidate.person_id}`]).allowed;
  if (!mayRead) return { ...candidate, there: false };
  const { elsewhere } = candidate;
  const named =
    elsewhere &&
    decide(caller.rights, 'outreach.campaign.read', [`outreach:campaign/${elsewhere.id}`]).allowed;
  return elsewhere && !named
    ? { ...candidate, elsewhere: { ...elsewhere, name: 'another campaign' } }
    : candidate;
}

const answer = (campaign: LoadedCampaign, account: Account, dry_run: boolean): Enrolment => ({
  dry_run,
  ...account,
  sentence: enrolledSentence(account.enrolled, campaign.state, dry_run),
});
