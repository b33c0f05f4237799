// Handlers of the instance’s own outgoing mail.
import { DAY_MS, after } from '../../../kernel/clock.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { conflict, invalid } from '../../../kernel/refusal.ts';
import { bind } from '../../../kernel/context.ts';
import { ADDRESS_SAYS, parseAddress } from '../../../mail/address.rules.ts';
import { lockAccount } from '../users/accounts.store.ts';
import {
  mailSettingsClear,
  mailSettingsGet,
  mailSettingsSet,
  mailSettingsTest,
  type ShownWay,
} from './contract.ts';
import { testWords } from './letters.ts';
import { INSTANCE_MAIL_DUE, queueMail, queueState, wakeMails } from './queue.store.ts';
import { sentenceOf } from './outcome.ts';
import { clearWay, mailIsSetUp, saveWay, shownWay } from './way.store.ts';

async function state(db: Reader | Transaction, now: Date) {
  const { waiting, trouble } = await queueState(db, now);
  return { mail: await shownWay(db), waiting, trouble: trouble && sentenceOf(trouble) };
}

export const get = bind(mailSettingsGet, async ({ db, now }) => state(db, now));

export const set = bind(mailSettingsSet, async (context, { password, ...given }) => {
  const { db, app, now } = context;
  const parsed = parseAddress(given.from_address);
  if (!parsed.ok) {
    const sentence = ADDRESS_SAYS[parsed.why];
    throw invalid(`from_address: ${sentence}`, { from_address: sentence });
  }
  const way: ShownWay = { ...given, from_address: parsed.address.normalised };
  if (way.security === 'plain' && way.user !== null)
    throw invalid('security: passwords are only sent encrypted, so choose tls or starttls', {
      security: 'a password is never sent without encryption',
    });
  const before = await shownWay(db);
  const same =
    before !== null &&
    (['host', 'port', 'security', 'user'] as const).every((name) => before[name] === way[name]);
  // A password belongs to the host that it was given for: it is never sent to another.
  if (way.user !== null && password === undefined && !same)
    throw invalid('password: enter it again: the saved password belongs to the previous host and user', {
      password: 'enter it again when you change the host, port, encryption or user',
    });
  await saveWay(db, app.sealer, way, way.user === null ? null : password, now);
  await wakeMails(db, now);
  context.tell('settings', 'mail');
  context.tell(INSTANCE_MAIL_DUE, '');
  return state(db, now);
});

export const clear = bind(mailSettingsClear, async ({ db, tell }) => {
  await clearWay(db);
  tell('settings', 'mail');
  return { ok: true } as const;
});

export const test = bind(mailSettingsTest, async ({ db, caller, app, now, tell }) => {
  if (!(await mailIsSetUp(db)))
    throw conflict('this instance’s outgoing mail is not set up: save a mail server first');
  const user = caller.user_id ? await lockAccount(db, caller.user_id) : null;
  if (!user) throw new Error('the gate let a test mail through without a session');
  const words = testWords(app.instance.name);
  const mail = {
    kind: 'test',
    user_id: user.id,
    to: user.email,
    ...words,
    ends_at: after(now, DAY_MS),
  } as const;
  await queueMail(db, app.sealer, mail, now);
  tell(INSTANCE_MAIL_DUE, '');
  return { to: user.email };
});
