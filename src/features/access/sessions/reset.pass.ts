// Looks up who asked for a new password, apart from the act that asked: so the act does the same work, and takes the same
// time, whether or not there is such an account. What has ended of sessions is forgotten here as well.
import { SECOND_MS } from '../../../kernel/clock.ts';
import type { App } from '../../../kernel/app.ts';
import { pass, type AnyPass } from '../../../kernel/pass.ts';
import { resetWords } from '../instance-mail/letters.ts';
import { INSTANCE_MAIL_DUE, queueMail } from '../instance-mail/queue.store.ts';
import { lockAccountByEmail } from '../users/accounts.store.ts';
import { type AskedReset, claimAsks, endAsk, giveBackAsks, replaceReset, tidyResets } from './reset.store.ts';
import { drawSecret, hashOfSecret } from './secret.ts';
import { forgetEnded } from './store.ts';

/** Notifies that someone asked. */
export const RESETS_DUE = 'password_resets_due';

export const passwordResetPass: AnyPass = pass<AskedReset, AskedReset & { app: App; at: Date }>({
  name: 'password_resets',
  wakes_on: [RESETS_DUE],
  interrupted_by: [],
  tells: INSTANCE_MAIL_DUE,
  every_ms: 30 * SECOND_MS,
  batch: 20,
  at_a_time: 20,
  starts_within_ms: 20 * SECOND_MS,
  claim: claimAsks,
  open: (app) => ({
    begin: async () => async (row) => ({ ...row, app, at: app.clock.now() }),
    close: () => undefined,
  }),
  async commit(tx, lease, results) {
    for (const { id, email_key, app, at } of results) {
      if (!(await endAsk(tx, lease, id, at))) continue;
      const user = await lockAccountByEmail(tx, email_key);
      if (user?.state !== 'active') continue;
      const { instance, sealer } = app;
      const secret = drawSecret();
      const ends_at = await replaceReset(tx, user.id, hashOfSecret(secret), at);
      const words = resetWords(instance.name, `${instance.base_url}/reset/${secret}`);
      await queueMail(tx, sealer, { kind: 'reset', user_id: user.id, to: user.email, ...words, ends_at }, at);
    }
  },
  release: giveBackAsks,
  async tidy(tx, now) {
    await tidyResets(tx, now);
    await forgetEnded(tx, now);
  },
});
