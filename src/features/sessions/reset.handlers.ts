// Handlers of a forgotten password: asking for a link, and using it.
import { Refusal, notFound } from '../../kernel/refusal.ts';
import { bind } from '../../kernel/scene.ts';
import { mailIsSetUp } from '../instance-mail/way.store.ts';
import { accountKey, lockAccount, setPassword } from '../users/accounts.store.ts';
import { emailKey } from '../users/rules.ts';
import { hashPassword } from './password.ts';
import { authReset, authResetRequest } from './reset.contract.ts';
import { RESETS_DUE } from './reset.pass.ts';
import { keepAsk, recentAsks, takeReset } from './reset.store.ts';
import { hashOfSecret } from './secret.ts';
import { endSessions } from './store.ts';
import { throttle } from './throttle.ts';
import { forgetFailures } from './throttle.store.ts';

const NO_MAIL = 'this instance sends no mail, so nobody can be sent a link: ask an administrator of it';
const TOO_OFTEN = 'a new password was asked for too often: look for the mail, or wait an hour and ask again';
const NO_RESET = 'that link is not good any more: ask for a new one on the sign-in page';

/** Within an hour. */
const PER_ACCOUNT = 5;
const PER_ADDRESS = 30;

/** Nothing here looks at accounts: what is answered, and how long it takes, is the same for everybody. */
export const resetRequest = bind(authResetRequest, async (scene, { email }) => {
  const { db, now, request } = scene;
  if (!(await mailIsSetUp(db))) throw new Refusal(503, 'unavailable', NO_MAIL);
  const key = emailKey(email);
  const { of_account, of_address } = await recentAsks(db, key, request.address, now);
  if (of_account >= PER_ACCOUNT || of_address >= PER_ADDRESS)
    throw new Refusal(429, 'rate_limited', TOO_OFTEN, { retry_after: 3600 });
  await keepAsk(db, key, request.address, now);
  scene.tell(RESETS_DUE, '');
  return { ok: true } as const;
});

/** Signs nobody in: whoever has a second factor is still asked for it. */
export const reset = bind(authReset, async (scene, { token, password }) => {
  const { db, now } = scene;
  const tries = await throttle(scene, null);
  const hash = hashOfSecret(token);
  const user_id = await takeReset(db, hash, now);
  if (!user_id) throw tries.failed(notFound(NO_RESET));
  const user = await lockAccount(db, user_id);
  // Disabled since: this counts as no failed try, because such a refusal may follow no write.
  if (user?.state !== 'active') throw notFound(NO_RESET);
  await setPassword(db, user.id, await hashPassword(password));
  await endSessions(db, user.id);
  await forgetFailures(db, `account:${(await accountKey(db, user.id)) ?? ''}`);
  scene.about(`account:${user.id}`);
  return { ok: true } as const;
});
