// Handlers of the caller’s own passkeys and recovery codes.
import type { Caller } from '../../../kernel/caller.ts';
import { conflict, invalid, notThere } from '../../../kernel/refusal.ts';
import { bind } from '../../../kernel/context.ts';
import { MOST_PASSKEYS, relyingParty } from '../sessions/passkeys.rules.ts';
import {
  credentialsOf,
  deletePasskey,
  insertPasskey,
  newPasskeyId,
  passkeysOf,
  type ListedPasskey,
} from '../sessions/passkeys.store.ts';
import { askToMake, verifyMade } from '../sessions/passkeys.ts';
import { codesLeft, codesMadeAt, replaceCodes } from '../sessions/recovery.store.ts';
import { drawCodes, hashOfCode, tellAccount } from '../sessions/recovery.ts';
import { own } from './credentials.ts';
import {
  mePasskeys,
  passkeyCreate,
  passkeyDelete,
  passkeyOptions,
  recoveryCodes,
} from './passkeys.contract.ts';
import { ownAccount } from './store.ts';

const shown = (row: ListedPasskey) => ({
  ...row,
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
});

function signedIn({ credential, user_id }: Caller): { session: string; user_id: string } {
  if (credential.kind !== 'session' || !user_id)
    throw new Error('the gate let through somebody without a session');
  return { session: credential.id, user_id };
}

const tooMany = () => conflict(`an account can have at most ${MOST_PASSKEYS} passkeys: remove one first`);

export const list = bind(mePasskeys, async ({ db, caller, app }) => {
  const { user_id } = caller;
  const work_at = relyingParty(app.instance.base_url)?.origin ?? null;
  if (!user_id) return { passkeys: [], work_at, recovery_codes: { left: 0, made_at: null } };
  const [rows, left, made_at] = await Promise.all([
    passkeysOf(db, user_id),
    codesLeft(db, user_id),
    codesMadeAt(db, user_id),
  ]);
  return {
    passkeys: rows.map(shown),
    work_at,
    recovery_codes: { left, made_at: made_at?.toISOString() ?? null },
  };
});

export const options = bind(passkeyOptions, async ({ db, caller, app, now }) => {
  const { session, user_id } = signedIn(caller);
  const [account, has] = await Promise.all([ownAccount(db, user_id), credentialsOf(db, user_id)]);
  if (!account) throw new Error('the gate let through somebody without an account');
  if (has.length >= MOST_PASSKEYS) throw tooMany();
  return { options: await askToMake(app, account, session, has, now) };
});

export const create = bind(passkeyCreate, async (context, { name, made }) => {
  const { db, now, caller } = context;
  const { session } = signedIn(caller);
  const account = await own(context);
  if ((await passkeysOf(db, account.id)).length >= MOST_PASSKEYS) throw tooMany();
  const verified = await verifyMade(context, session, made);
  if (!verified)
    throw invalid(
      'this passkey wasn’t created for this account on this instance, or the request timed out: start again',
    );
  const { credential } = verified;
  const row = {
    id: newPasskeyId(),
    name,
    backed_up: verified.credentialBackedUp,
    created_at: now,
  };
  const kept = await insertPasskey(db, {
    ...row,
    user_id: account.id,
    credential_id: credential.id,
    public_key: credential.publicKey,
    counter: credential.counter,
    transports: verified.transports,
  });
  if (!kept) throw conflict('this passkey is already saved: use it to sign in');
  await tellAccount(context, account, 'A passkey was added to your account. It can sign in as you.');
  context.about(`passkey:${row.id}`);
  context.tell('me', account.id);
  return { passkey: shown({ ...row, last_used_at: null }) };
});

export const remove = bind(passkeyDelete, async (context, { passkey }) => {
  const account = await own(context);
  if ((await deletePasskey(context.db, account.id, passkey)) === null)
    throw notThere('you have no passkey with that id: it may have been removed already');
  context.tell('me', account.id);
  return { ok: true } as const;
});

export const codes = bind(recoveryCodes, async (context) => {
  const account = await own(context);
  if (account.totp_secret === null)
    throw conflict('recovery codes need two-factor authentication: turn it on first');
  const drawn = drawCodes();
  await replaceCodes(
    context.db,
    account.id,
    drawn.map((code) => hashOfCode(account.id, code)),
    context.now,
  );
  context.tell('me', account.id);
  return { codes: drawn };
});
