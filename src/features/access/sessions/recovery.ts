// Recovery codes: ten, shown once, kept as hashes, each good once in place of an authenticator's code and of nothing else.
// Whoever has one used, or gets a passkey, hears of it, because it may not have been them.
import { createHash, randomBytes } from 'node:crypto';
import { DAY_MS, after } from '../../../kernel/clock.ts';
import type { WriteContext } from '../../../kernel/context.ts';
import { INSTANCE_MAIL_DUE, queueMail } from '../instance-mail/queue.store.ts';
import { mailIsSetUp } from '../instance-mail/way.store.ts';
import { notify } from '../notifications/store.ts';
import type { Account } from '../users/accounts.store.ts';
import { codesLeft, spendCode } from './recovery.store.ts';

const HOW_MANY = 10;
/** Crockford's 32: none of I, L, O, U, which are read as another. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const SHAPE = /^[0-9A-HJKMNP-TV-Z]{16}$/;

/** Eighty bits each, in four groups. */
export const drawCodes = (): string[] =>
  Array.from({ length: HOW_MANY }, () =>
    [...randomBytes(16)]
      .map((byte) => LETTERS[byte % 32])
      .join('')
      .replace(/(.{4})(?=.)/g, '$1-'),
  );

/** As it was written down: spaces, small letters and letters that look like digits are read for what they are meant to be. */
function readCode(code: string): string | null {
  const plain = code.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
  return SHAPE.test(plain) ? plain : null;
}

/** Under the account, so that one code of two people would be two rows. */
export const hashOfCode = (user: string, code: string): Buffer =>
  createHash('sha256')
    .update(`${user}\n${readCode(code) ?? ''}`)
    .digest();

export const isRecoveryCode = (code: string): boolean => readCode(code) !== null;

/** Uses a code up and tells whose it was. False, with nothing written, where it is none, or was used. */
export async function recover(context: WriteContext, account: Account, code: string): Promise<boolean> {
  const { db, now } = context;
  if (!(await spendCode(db, account.id, hashOfCode(account.id, code), now))) return false;
  const left = await codesLeft(db, account.id);
  const rest = left === 1 ? '1 code is left' : `${left === 0 ? 'No' : left} codes are left`;
  await tellAccount(context, account, `A recovery code was used instead of your authenticator. ${rest}.`);
  return true;
}

/** Says on the bell, and by mail where there is mail, what happened to someone's account. */
export async function tellAccount(context: WriteContext, account: Account, sentence: string): Promise<void> {
  const { db, now, app } = context;
  await notify(db, {
    user_id: account.id,
    kind: 'account',
    sentence,
    link: '/settings/sessions',
    at: now,
  });
  context.tell('notifications', account.id);
  if (!(await mailIsSetUp(db))) return;
  await queueMail(
    db,
    app.sealer,
    {
      kind: 'account',
      user_id: account.id,
      to: account.email,
      ...words(app.instance, sentence),
      ends_at: after(now, DAY_MS),
    },
    now,
  );
  context.tell(INSTANCE_MAIL_DUE, '');
}

const words = ({ name, base_url }: { name: string; base_url: string }, sentence: string) => ({
  subject: `Your account on ${name}`,
  text: `${sentence}

If this wasn’t you, change your password and end every session here:

${base_url}/settings/sessions
`,
});
