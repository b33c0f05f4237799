// Writes the trouble of an identity. The sender holds an identity here; tests and people's acts clear it (save.store.ts).
import type { Transaction } from '../../../../kernel/database.ts';
import type { IdentityTrouble } from './trouble.rules.ts';

const LONGEST_WORDS = 500;

/** Someone else's text: without characters that no text column takes, on one line, and short. */
const cleaned = (words: string | null): string | null =>
  words === null
    ? null
    : words
        .slice(0, 4 * LONGEST_WORDS)
        .toWellFormed()
        .replaceAll(/\p{C}+|\s+/gu, ' ')
        .trim()
        .slice(0, LONGEST_WORDS)
        .toWellFormed() || null;

/**
 * Holds an identity at the revision at which the trouble was met: saved settings, a passing test or an activation since then
 * count more. The first trouble stays. With refused credentials it also becomes inactive, so that nothing more is tried with
 * them before a person activates it again.
 */
export async function holdIdentity(
  tx: Transaction,
  { id, revision }: { id: string; revision: number },
  { kind, code, enhanced, words, expired_at }: IdentityTrouble,
  at: Date,
): Promise<void> {
  const stops = kind === 'credentials';
  await tx`
    update identities set trouble = ${kind}, trouble_since = ${at}, trouble_code = ${code}, trouble_enhanced = ${enhanced},
      trouble_words = ${cleaned(words)}, trouble_expired_at = ${expired_at},
      active = active and not ${stops}, state_reason = case when ${stops} and active then 'credentials_refused' else state_reason end,
      revision = revision + 1, updated_at = ${at}
    where id = ${id} and revision = ${revision} and gone_at is null and trouble is null`;
}
