// Handlers of the caller’s own account: who they are, their profile, and where they are signed in. Password and second factor
// are in credentials.ts.
import { z } from 'zod';
import { isAgent } from '../../../kernel/caller.ts';
import { after } from '../../../kernel/clock.ts';
import { STEP_UP_MS } from '../../../kernel/gates.ts';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { denied } from '../../../kernel/denied.ts';
import { couldAllow } from '../../../kernel/policy.ts';
import { notThere } from '../../../kernel/refusal.ts';
import { bind } from '../../../kernel/context.ts';
import { id } from '../../../kernel/shapes.ts';
import { unreadCount } from '../notifications/store.ts';
import { endSession, sessionRows } from '../sessions/store.ts';
import { ruleTimezone } from '../users/rules.ts';
import { updateUser } from '../users/store.ts';
import { meGet, meMay, meSessionEnd, meSessions, meUpdate } from './contract.ts';
import { ownAccount } from './store.ts';

export const get = bind(meGet, async ({ db, caller, now, app }) => {
  const { credential, principal, rights, user_id } = caller;
  if (credential.kind === 'none') throw new Error('the gate let nobody through');
  const [user, unread] = user_id
    ? await Promise.all([ownAccount(db, user_id), unreadCount(db, user_id)])
    : [null, 0];
  const until =
    credential.kind === 'session' && credential.stepped_up_at
      ? after(credential.stepped_up_at, STEP_UP_MS)
      : null;
  return {
    principal: { kind: principal.kind, id: principal.id, name: principal.name },
    via: credential.kind,
    agent: isAgent(caller),
    admin: rights.admin,
    policies: rights.policies.map((policy) => policy.name),
    scopes: credential.kind === 'token' ? credential.scopes : null,
    user,
    stepped_up_until: until && until > now ? until.toISOString() : null,
    instance: app.instance.name,
    unread_notifications: unread,
  };
});

export const may = bind(meMay, async ({ caller }, { action }) => {
  const allowed = couldAllow(caller.rights, action);
  return { may: allowed, sentence: allowed ? null : denied(caller, action).message };
});

export const update = bind(meUpdate, async ({ db, caller, tell }, changes) => {
  const refusal = changes.timezone ? ruleTimezone(changes.timezone) : null;
  if (refusal) throw refusal;
  if (caller.user_id) {
    await updateUser(db, caller.user_id, changes);
    tell('me', caller.user_id);
  }
  return { ok: true } as const;
});

export const sessions = bind(meSessions, async ({ db, caller, now }, { limit, cursor }) => {
  const before = keyIn(cursor, () => z.tuple([id]));
  const rows = caller.user_id
    ? await sessionRows(db, caller.user_id, now, before?.[0] ?? null, limit + 1)
    : [];
  const page = pageOf(rows, limit, (row) => [row.id]);
  const current = caller.credential.kind === 'session' ? caller.credential.id : null;
  const items = page.items.map((row) => ({
    ...row,
    created_at: row.created_at.toISOString(),
    last_seen_at: row.last_seen_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    current: row.id === current,
  }));
  return { ...page, items };
});

export const endOne = bind(meSessionEnd, async ({ db, caller, cookie }, { session }) => {
  if (!caller.user_id || !(await endSession(db, caller.user_id, session)))
    throw notThere('you have no session with that id: it may have ended already');
  if (caller.credential.kind === 'session' && caller.credential.id === session) cookie('clear');
  return { ok: true } as const;
});
