// One visit to one identity's Sent folder: each due letter is looked for by Message-ID, and filed where it left, isn't there and
// nobody else files it. Looked for first, always, so that a visit that broke off leaves no second copy.
import { SECOND_MS } from '../../../kernel/clock.ts';
import type { House } from '../../../kernel/house.ts';
import { openImap } from '../../../mail/imap/session.ts';
import type { ImapSession } from '../../../mail/imap/steps.ts';
import { IMAP_SAYS, ImapBroken } from '../../../mail/imap/trouble.ts';
import { filerOf } from '../identities/ways/filing.rules.ts';
import { imapOptions, receivingAccount } from '../identities/ways/receiving.store.ts';
import { type CopyOutcome, isLookedFor, ruleAbsent, type Wanted } from './copies.rules.ts';
import { bytesOf, type DueFolder, settingsOf, wantedOf } from './store.ts';

export type Visit = {
  outcomes: { wanted: Wanted; outcome: CopyOutcome }[];
  /** What is wrong with the folder, in a sentence of ours. */
  trouble: string | null;
};

const NO_PASSWORD = 'No password of the mailbox is stored that opens here: save it again with the identity.';
const NO_FOLDER =
  'The mailbox marks no folder as Sent: name the folder for copies of sent mail, or turn copies off.';

/** The whole visit, well within the lease. */
const VISIT_MS = 35 * SECOND_MS;
const LIMITS = { connectMs: 8 * SECOND_MS, setupMs: 8 * SECOND_MS, stepMs: 8 * SECOND_MS };

export async function visitFolder(house: House, { id }: DueFolder, cut: AbortSignal): Promise<Visit> {
  const db = house.ground.reader;
  const now = house.clock.now();
  const visit: Visit = { outcomes: [], trouble: null };
  const settings = await settingsOf(db, id);
  const account = await receivingAccount(db, house.sealer, id);
  const wanted = await wantedOf(db, id, now);
  if (!settings || !account) return visit;
  const filer = filerOf(settings);
  const looked = wanted.filter((each) => isLookedFor(each, filer, now));
  for (const each of wanted)
    if (!looked.includes(each)) visit.outcomes.push({ wanted: each, outcome: { to: 'left', looked: false } });
  if (looked.length === 0) return visit;
  if (account.password === null) return { ...visit, trouble: NO_PASSWORD };
  const ending = AbortSignal.any([cut, AbortSignal.timeout(VISIT_MS)]);
  const options = { ...imapOptions(house, account.settings, account.password), limits: LIMITS };
  const opened = await openImap(options, ending);
  if (!opened.ok) return { ...visit, trouble: opened.sentence ?? IMAP_SAYS[opened.trouble] };
  const { session } = opened;
  const close = (): void => session.close();
  ending.addEventListener('abort', close);
  try {
    const path = settings.sent_folder ?? (await session.specialFolders()).sent;
    if (path === null) return { ...visit, trouble: looked.some(isSent) ? NO_FOLDER : null };
    await session.open(path);
    // All are looked for before any is filed: filing leaves the open folder.
    const missing: Wanted[] = [];
    for (const each of looked) {
      const outcome = await lookFor(session, each, now);
      if (outcome === 'file') missing.push(each);
      else visit.outcomes.push({ wanted: each, outcome });
    }
    for (const each of missing)
      visit.outcomes.push({ wanted: each, outcome: await fileCopy(house, session, path, each, now) });
    return visit;
  } catch (error) {
    if (!(error instanceof ImapBroken)) throw error;
    return cut.aborted ? visit : { ...visit, trouble: IMAP_SAYS[error.trouble] };
  } finally {
    ending.removeEventListener('abort', close);
    close();
  }
}

const isSent = ({ state }: Wanted): boolean => state === 'sent';

async function lookFor(session: ImapSession, wanted: Wanted, now: Date): Promise<CopyOutcome | 'file'> {
  for (const message_id of wanted.message_ids) if (await session.holds(message_id)) return { to: 'found' };
  return ruleAbsent(wanted, now);
}

async function fileCopy(
  house: House,
  session: ImapSession,
  path: string,
  { send_id, sent_at }: Wanted,
  now: Date,
): Promise<CopyOutcome> {
  const bytes = await bytesOf(house.ground.reader, send_id);
  // Erased meanwhile.
  if (bytes === null) return { to: 'left', looked: true };
  await session.append(path, bytes, sent_at ?? now);
  return { to: 'filed' };
}
