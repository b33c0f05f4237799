// Handlers of a forgotten password: asking for a link, and using it.
import { Refusal, notThere } from '../../../kernel/refusal.ts';
import { AskAgain, bind, bindAsking } from '../../../kernel/context.ts';
import { mailIsSetUp } from '../instance-mail/way.store.ts';
import { lockAccount, setPassword } from '../users/accounts.store.ts';
import { emailKey } from '../users/rules.ts';
import { hashPassword } from './password.ts';
import { authReset, authResetRequest } from './reset.contract.ts';
import { RESETS_DUE } from './reset.pass.ts';
import { keepAsk, recentAsks, resetIsOpen, takeReset } from './reset.store.ts';
import { hashOfSecret } from './secret.ts';
import { endSessions } from './store.ts';
import { demandTry, placeOfRequest, throttle } from './throttle.ts';
import { forgetFailures, rememberPlace } from './throttle.store.ts';

const NO_MAIL = 'this instance can’t send mail: ask an administrator to reset your password';
const TOO_OFTEN = 'too many password resets requested: check your email, or wait an hour and try again';
const NO_RESET = 'this link has expired or was already used: request a new link on the sign-in page';

/** Within an hour. */
const PER_ACCOUNT = 5;
const PER_ADDRESS = 30;

/** Nothing here looks at accounts: what is answered, and how long it takes, is the same for everyone. */
export const resetRequest = bind(authResetRequest, async (context, { email }) => {
  const { db, now, request } = context;
  if (!(await mailIsSetUp(db))) throw new Refusal(503, 'unavailable', NO_MAIL);
  const key = emailKey(email);
  const place = placeOfRequest(request);
  const { of_account, of_address } = await recentAsks(db, key, place, now);
  if (of_account >= PER_ACCOUNT || of_address >= PER_ADDRESS)
    throw new Refusal(429, 'rate_limited', TOO_OFTEN, { retry_after: 3600 });
  await keepAsk(db, key, place, now);
  context.tell(RESETS_DUE, '');
  return { ok: true } as const;
});

/** Signs no one in: whoever has a second factor is still asked for it. */
export const reset = bindAsking(
  authReset,
  async ({ db, now, request }, { token, password }) => {
    const place = placeOfRequest(request);
    // A link that works is not a guess, and lets in someone whom others have locked out of this place.
    if (await resetIsOpen(db, hashOfSecret(token), now))
      return await hashPassword(password, { whose: place, known: true });
    await demandTry(db, { at: 'place', place }, now);
    return null;
  },
  async (context, { token }, password_hash) => {
    const { db, now } = context;
    const place = placeOfRequest(context.request);
    const user_id = await takeReset(db, hashOfSecret(token), now);
    if (!user_id) throw (await throttle(context, { at: 'place', place })).failed(notThere(NO_RESET));
    if (password_hash === null) throw new AskAgain();
    const user = await lockAccount(db, user_id);
    // Disabled since: this counts as no failed try, because such a refusal may follow no write.
    if (user?.state !== 'active') throw notThere(NO_RESET);
    await setPassword(db, user.id, password_hash);
    await endSessions(db, user.id);
    await forgetFailures(db, `account:${user.email_key}`);
    // Who reads the account's mail is its owner, and signs in from here next.
    await rememberPlace(db, user.id, place, now);
    context.about(`account:${user.id}`);
    return { ok: true } as const;
  },
  { cannot: 'Signing in and passwords can’t be rehearsed.' },
);
