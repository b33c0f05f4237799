// Handlers of tokens. Nothing of a token can be changed: it is deleted and minted again.
import { z } from 'zod';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { Refusal, invalid, notFound } from '../../../kernel/refusal.ts';
import { type WriteContext, bind } from '../../../kernel/context.ts';
import { UNAUTHORIZED } from '../../../kernel/sentences.ts';
import { id } from '../../../kernel/shapes.ts';
import { notify } from '../notifications/store.ts';
import { attachable } from '../policies/store.ts';
import { killProvisioning } from '../sessions/provisioning.store.ts';
import { isActiveUser } from '../users/store.ts';
import { tokenDelete, tokenList, tokenMint } from './contract.ts';
import { expiryOf, ruleMint } from './rules.ts';
import { type NewToken, deleteToken, insertToken, tokenRows } from './store.ts';
import { drawValue, hintOf, sha256 } from './value.ts';

export const list = bind(tokenList, async ({ db }, { limit, cursor }) => {
  const before = keyIn(cursor, () => z.tuple([id]));
  return pageOf(await tokenRows(db, before?.[0] ?? null, limit + 1), limit, (row) => [row.id]);
});

export const mint = bind(tokenMint, async (context, asked) => {
  const { db, now, caller } = context;
  const user_id = ruleMint(asked, caller);
  if (user_id !== null && !(await isActiveUser(db, user_id))) throw noSuchUser();
  const policies = await attachable(db, asked.policies ?? []);
  const firstEver = await killProvisioning(db, now);
  // Two mints with the key at once: the second finds that the key died while it waited.
  if (caller.credential.kind === 'provisioning_key' && !firstEver)
    throw new Refusal(401, 'unauthorized', UNAUTHORIZED);
  const value = drawValue();
  const made = await insertToken(db, newToken(asked, user_id, value, context), policies);
  if (user_id !== null && user_id !== caller.user_id) await tellOwner(context, user_id, asked.name);
  context.about(`admin:token/${made.id}`);
  context.tell('tokens', made.id);
  return { token: made, value };
});

export const remove = bind(tokenDelete, async (context, { token }) => {
  context.about(`admin:token/${token}`);
  if ((await deleteToken(context.db, token)) === null)
    throw notFound('token', 'it may have been revoked already');
  context.tell('tokens', token);
  return { ok: true } as const;
});

type Asked = z.output<typeof tokenMint.takes>;

function newToken(
  asked: Asked,
  user_id: string | null,
  value: string,
  { now, caller }: WriteContext,
): NewToken {
  const { kind, id: minter, name } = caller.principal;
  return {
    name: asked.name,
    mode: asked.mode,
    user_id,
    hash: sha256(value),
    hint: hintOf(value),
    wire: asked.scopes?.wire ?? false,
    scripts: asked.scopes?.scripts ?? false,
    created_at: now,
    created_by_kind: kind,
    created_by_id: minter,
    created_by_name: name,
    expires_at: expiryOf(asked.expires_in, now),
  };
}

/** A token acts as its user, so they hear of every one that someone else minted (domain.md §1.1). */
async function tellOwner(
  { db, now, caller, tell }: WriteContext,
  user_id: string,
  name: string,
): Promise<void> {
  const sentence = `${caller.principal.name} minted the token "${name}", which acts as you. An administrator can revoke it.`;
  await notify(db, { user_id, kind: 'token.minted', sentence, link: null, at: now });
  tell('notifications', user_id);
}

function noSuchUser(): Refusal {
  const says = 'user_id: no active user has that id; a token can be bound only to an active user';
  return invalid(says, { user_id: says });
}
