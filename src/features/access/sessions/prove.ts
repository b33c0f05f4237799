// Proving that someone is who they say: the password, and the code of their authenticator where they have one. Sign-in and
// step-up both come through here, so that both count their failures and neither accepts a code twice.
import { Refusal } from '../../../kernel/refusal.ts';
import { AskAgain, type ReadContext, type WriteContext } from '../../../kernel/context.ts';
import { type Account, keepTotpStep } from '../users/accounts.store.ts';
import { passwordFits } from './password.ts';
import { isRecoveryCode, recover } from './recovery.ts';
import { demandTry, type Guess, throttle } from './throttle.ts';
import { totpStep } from './totp.ts';

export const totpContext = (user: string): string => `users/${user}/totp_secret`;

const RECOVERY_WRONG =
  'the recovery code is wrong or was already used: enter another recovery code, or a code from your authenticator app';
const CODE_REQUIRED = 'also enter the 6-digit code from your authenticator app';
const CODE_WRONG = 'the code is wrong or was already used: wait for the next code and enter it';

/** Whether a password fits, and the stored hash that it was compared with. */
export type Compared = { fits: boolean; stored: string | null };

/** Compares before the transaction: no row and no connection waits for it. Where `read` finds none, it costs the same and fails. */
export async function compare(
  { db, now }: Pick<ReadContext, 'db' | 'now'>,
  guess: Guess,
  password: string,
  read: () => Promise<string | null>,
): Promise<Compared> {
  const known = await demandTry(db, guess, now);
  const whose = guess.at === 'session' ? guess.session : guess.place;
  const stored = await read();
  return { fits: await passwordFits(password, stored, { whose, known }), stored };
}

/** The account that a try is of, locked in its turn, as it was when the password was compared; otherwise that is done again. */
export async function accountCompared(
  lock: () => Promise<Account | null>,
  { stored }: Compared,
): Promise<Account | null> {
  const account = await lock();
  if ((account?.password_hash ?? null) !== stored) throw new AskAgain();
  return account;
}

/**
 * `lock` takes the account once it is this try's turn, so that no one who waited is let in by a password that was changed
 * meanwhile; null represents an address that no one has: it costs the same and fails with the same sentence.
 */
export async function prove(
  context: WriteContext,
  guess: Guess,
  lock: () => Promise<Account | null>,
  given: { compared: Compared; code?: string | undefined },
  wrong: string,
): Promise<Account> {
  const tries = await throttle(context, guess);
  const account = await accountCompared(lock, given.compared);
  if (account) context.about(`account:${account.id}`);
  if (!given.compared.fits || !account || account.state !== 'active')
    throw tries.failed(new Refusal(401, 'unauthorized', wrong));
  if (account.totp_secret !== null) {
    if (given.code === undefined) throw new Refusal(401, 'code_required', CODE_REQUIRED);
    if (isRecoveryCode(given.code)) {
      if (!(await recover(context, account, given.code)))
        throw tries.failed(new Refusal(401, 'code_required', RECOVERY_WRONG));
      await tries.passed();
      return account;
    }
    const secret = context.app.sealer.open(account.totp_secret, totpContext(account.id));
    const step = totpStep(secret, given.code, context.now, account.totp_last_step);
    if (step === null || !(await keepTotpStep(context.db, account.id, step)))
      throw tries.failed(new Refusal(401, 'code_required', CODE_WRONG));
  }
  await tries.passed();
  return account;
}
