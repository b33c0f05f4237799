// One visit to one identity's Sent folder: each due letter is looked for by Message-ID, and filed where it left, isn't there and
// no one else files it. Looked for first, always, so that a visit that broke off leaves no second copy. A letter that the folder
// does not take waits automatically, and the others are filed.
import { SECOND_MS } from '../../../kernel/clock.ts';
import type { App } from '../../../kernel/app.ts';
import { openImap } from '../../../mail/imap/session.ts';
import type { ImapSession } from '../../../mail/imap/steps.ts';
import { IMAP_SAYS, ImapBroken, type ImapTrouble } from '../../../mail/imap/trouble.ts';
import { filerOf } from '../identities/ways/filing.rules.ts';
import { imapOptions, receivingAccount } from '../identities/ways/receiving.store.ts';
import {
  type CopyOutcome,
  isLookedFor,
  ruleAbsent,
  ruleNotTaken,
  ruleThere,
  type Wanted,
} from './copies.rules.ts';
import { bytesOf, type DueFolder, settingsOf, wantedOf } from './store.ts';

export type Visit = {
  outcomes: { wanted: Wanted; outcome: CopyOutcome }[];
  /** What is wrong with the folder, in a sentence of ours. */
  trouble: string | null;
};

const NO_PASSWORD = 'The saved mailbox password can’t be read: enter it again under Incoming mail.';
const NO_FOLDER =
  'The mailbox marks no folder as Sent: name the folder for copies of sent mail, or turn copies off.';

/** The whole visit, well within the lease. */
const VISIT_MS = 35 * SECOND_MS;
/** What is not looked for by then comes next time: what is known to be missing is filed in this visit. */
const LOOKING_MS = 15 * SECOND_MS;
const LIMITS = { connectMs: 8 * SECOND_MS, setupMs: 8 * SECOND_MS, stepMs: 8 * SECOND_MS };

export async function visitFolder(app: App, { id }: DueFolder, cut: AbortSignal): Promise<Visit> {
  const db = app.database.reader;
  const now = app.clock.now();
  const visit: Visit = { outcomes: [], trouble: null };
  const settings = await settingsOf(db, id);
  const account = await receivingAccount(db, app.sealer, id);
  const wanted = await wantedOf(db, id, now);
  if (!settings || !account) return visit;
  const filer = filerOf(settings);
  const looked = wanted.filter((each) => isLookedFor(each, filer, now));
  for (const each of wanted)
    if (!looked.includes(each)) visit.outcomes.push({ wanted: each, outcome: { to: 'left', looked: false } });
  if (looked.length === 0) return visit;
  if (account.password === null) return { ...visit, trouble: NO_PASSWORD };
  const ending = AbortSignal.any([cut, AbortSignal.timeout(VISIT_MS)]);
  const options = { ...imapOptions(app, account.settings, account.password), limits: LIMITS };
  const opened = await openImap(options, ending);
  if (!opened.ok) return { ...visit, trouble: opened.sentence ?? IMAP_SAYS[opened.trouble] };
  const { session } = opened;
  const close = (): void => session.close();
  ending.addEventListener('abort', close);
  try {
    const path = settings.sent_folder ?? (await session.specialFolders()).sent;
    if (path === null) return { ...visit, trouble: looked.some(isSent) ? NO_FOLDER : null };
    await session.open(path);
    return await lookAndFile(session, path, looked, (send_id) => bytesOf(db, send_id), now, visit);
  } catch (error) {
    if (!(error instanceof ImapBroken)) throw error;
    return cut.aborted ? visit : { ...visit, trouble: IMAP_SAYS[error.trouble] };
  } finally {
    ending.removeEventListener('abort', close);
    close();
  }
}

const isSent = ({ state }: Wanted): boolean => state === 'sent';

async function lookFor(
  session: Pick<ImapSession, 'holds'>,
  wanted: Wanted,
  now: Date,
): Promise<CopyOutcome | 'file'> {
  for (const message_id of wanted.message_ids)
    if (await session.holds(message_id)) return ruleThere(wanted, now);
  return ruleAbsent(wanted, now);
}

/** Of an open folder. What was done before the connection broke off is in `visit`. */
export async function lookAndFile(
  session: Pick<ImapSession, 'holds' | 'append'>,
  path: string,
  wanted: readonly Wanted[],
  bytesFor: (send_id: string) => Promise<Buffer | null>,
  now: Date,
  visit: Visit,
  passed: () => number = () => performance.now(),
): Promise<Visit> {
  const until = passed() + LOOKING_MS;
  // Looked for before any is filed: filing leaves the open folder.
  const missing: Wanted[] = [];
  for (const [at, each] of wanted.entries()) {
    if (at > 0 && passed() > until) break;
    const outcome = await lookFor(session, each, now);
    if (outcome === 'file') missing.push(each);
    else visit.outcomes.push({ wanted: each, outcome });
  }
  let trouble: ImapTrouble | null = null;
  let filed = 0;
  for (const each of missing) {
    const outcome = await fileCopy(session, path, each, bytesFor, now);
    visit.outcomes.push({
      wanted: each,
      outcome: outcome instanceof ImapBroken ? ruleNotTaken(each, now) : outcome,
    });
    if (!(outcome instanceof ImapBroken)) filed += 1;
    else if (outcome.trouble !== 'not_saved') throw outcome;
    else trouble = outcome.trouble;
  }
  return { ...visit, trouble: trouble !== null && filed === 0 ? IMAP_SAYS[trouble] : visit.trouble };
}

async function fileCopy(
  session: Pick<ImapSession, 'append'>,
  path: string,
  { send_id, sent_at }: Wanted,
  bytesFor: (send_id: string) => Promise<Buffer | null>,
  now: Date,
): Promise<CopyOutcome | ImapBroken> {
  const bytes = await bytesFor(send_id);
  // Erased meanwhile.
  if (bytes === null) return { to: 'left', looked: true };
  try {
    await session.append(path, bytes, sent_at ?? now);
    return { to: 'filed' };
  } catch (error) {
    if (error instanceof ImapBroken) return error;
    throw error;
  }
}
