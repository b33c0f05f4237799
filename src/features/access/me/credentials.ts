// Handlers of the password and the authenticator. A new secret counts only after a code from it was entered, so that no one
// locks themselves out.
import { Refusal, conflict, invalid } from '../../../kernel/refusal.ts';
import { AskAgain, type ReadContext, type WriteContext, bind, bindAsking } from '../../../kernel/context.ts';
import { hashPassword } from '../sessions/password.ts';
import { accountCompared, compare, totpContext } from '../sessions/prove.ts';
import { forgetCodes } from '../sessions/recovery.store.ts';
import { endSessions } from '../sessions/store.ts';
import { type Guess, throttle } from '../sessions/throttle.ts';
import { drawTotpSecret, totpStep, totpUri } from '../sessions/totp.ts';
import {
  type Account,
  confirmTotp,
  keepTotpPending,
  lockAccount,
  passwordOf,
  removeTotp,
  setPassword,
} from '../users/accounts.store.ts';
import { mePassword, meTotp, meTotpRemove } from './contract.ts';

const pendingContext = (user: string): string => `users/${user}/totp_pending`;

export const password = bindAsking(
  mePassword,
  async (context, { current, password: wanted }) => {
    const { user_id } = context.caller;
    const guess = inSession(context);
    const read = async () => user_id && (await passwordOf(context.db, user_id));
    const compared = await compare(context, guess, current, read);
    const asker = { whose: guess.session, known: true };
    return { compared, hash: compared.fits ? await hashPassword(wanted, asker) : null };
  },
  async (context, _given, { compared, hash }) => {
    const guess = inSession(context);
    const tries = await throttle(context, guess);
    const account = await accountCompared(() => own(context), compared);
    if (!account || !compared.fits)
      throw tries.failed(
        new Refusal(401, 'unauthorized', 'this is not your current password: enter it again'),
      );
    if (hash === null) throw new AskAgain();
    await tries.passed();
    await setPassword(context.db, account.id, hash);
    await endSessions(context.db, account.id, guess.session);
    return { ok: true } as const;
  },
  { cannot: 'Signing in and passwords can’t be rehearsed.' },
);

function inSession({ caller }: Pick<ReadContext, 'caller'>): Extract<Guess, { at: 'session' }> {
  if (caller.credential.kind !== 'session')
    throw new Error('the gate let a new password through without a session');
  return { at: 'session', session: caller.credential.id };
}

export const totp = bind(meTotp, async (context, { code }) => {
  const account = await own(context);
  if (code === undefined) return draw(context, account);
  const { sealer } = context.app;
  if (account.totp_pending === null)
    throw conflict('no authenticator is being set up: request a secret first, without a code');
  const secret = sealer.open(account.totp_pending, pendingContext(account.id));
  const step = totpStep(secret, code, context.now, 0);
  if (step === null)
    throw invalid('the code doesn’t match the secret just shown: wait for the next code and enter it');
  await confirmTotp(context.db, account.id, sealer.seal(secret, totpContext(account.id)), step, context.now);
  context.tell('me', account.id);
  return { on: true, secret: null, uri: null };
});

export const totpRemove = bind(meTotpRemove, async (context) => {
  const account = await own(context);
  await removeTotp(context.db, account.id);
  await forgetCodes(context.db, account.id);
  context.tell('me', account.id);
  return { ok: true } as const;
});

async function draw(
  { db, app }: WriteContext,
  account: Account,
): Promise<{ on: boolean; secret: string; uri: string }> {
  const secret = drawTotpSecret();
  await keepTotpPending(db, account.id, app.sealer.seal(secret, pendingContext(account.id)));
  return {
    on: account.totp_secret !== null,
    secret,
    uri: totpUri(app.instance.name, account.email, secret),
  };
}

export async function own({ db, caller }: WriteContext): Promise<Account> {
  const account = caller.user_id ? await lockAccount(db, caller.user_id) : null;
  if (!account) throw new Error('the gate let through somebody without an account');
  return account;
}
