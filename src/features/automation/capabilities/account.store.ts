// All SQL of sign-ins at tool servers: each person’s sealed credentials per server, and sign-ins in progress.
import { createHash } from 'node:crypto';
import { after, DAY_MS, MINUTE_MS, SECOND_MS } from '../../../kernel/clock.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import type { Sealer } from '../../../kernel/app.ts';
import type { Credentials, OauthDraft } from './oauth.ts';
import { waitMs } from './limits.rules.ts';
import type { Challenge, TroubleWhy } from './trouble.rules.ts';

type Db = Reader | Transaction;

export type CapabilityAccount = {
  credentials: Credentials;
  expires_at: Date | null;
  state: 'connected' | 'lost';
  connected_at: Date;
  challenge: Challenge | null;
  version: number;
  /** Nothing is asked for a renewal before this. */
  renew_after: Date | null;
  renew_trouble: TroubleWhy | null;
};

type Of = { capability_id: string; user_id: string };

const context = ({ capability_id, user_id }: Of): string =>
  `capability_accounts.credentials ${capability_id} ${user_id}`;

export async function accountOf(db: Db, sealer: Sealer, of: Of): Promise<CapabilityAccount | null> {
  const [row] = await db<(Omit<CapabilityAccount, 'credentials'> & { credentials: string })[]>`
    select credentials, expires_at, state, connected_at, challenge, version, renew_after, renew_trouble from capability_accounts
    where capability_id = ${of.capability_id} and user_id = ${of.user_id}`;
  if (!row) return null;
  try {
    return { ...row, credentials: JSON.parse(sealer.open(row.credentials, context(of))) as Credentials };
  } catch {
    // Sealed under another key: no one is signed in.
    return null;
  }
}

/** Someone's own sign-in at one server, as it is shown. */
export type Connection = { state: 'connected' | 'lost'; connected_at: Date };

export async function connectionsOf(db: Db, user_id: string | null): Promise<Map<string, Connection>> {
  if (user_id === null) return new Map();
  const rows = await db<(Connection & { capability_id: string })[]>`
    select capability_id, state, connected_at from capability_accounts where user_id = ${user_id}`;
  return new Map(rows.map(({ capability_id, ...connection }) => [capability_id, connection]));
}

const LONGEST_S = 365 * (DAY_MS / SECOND_MS);

/** A time that says nothing (none, negative, not a number) is as if none was said: the token is used until it is refused. */
function expiryOf({ tokens }: Credentials, now: Date): Date | null {
  const lasts_s = Number(tokens?.expires_in);
  return lasts_s > 0 ? after(now, Math.min(lasts_s, LONGEST_S) * SECOND_MS) : null;
}

export async function saveAccount(
  tx: Transaction,
  sealer: Sealer,
  of: Of,
  credentials: Credentials,
  now: Date,
): Promise<void> {
  const row = {
    ...of,
    credentials: sealer.seal(JSON.stringify(credentials), context(of)),
    expires_at: expiryOf(credentials, now),
    state: 'connected',
    connected_at: now,
  };
  await tx`
    insert into capability_accounts ${tx(row)}
    on conflict (capability_id, user_id) do update set credentials = excluded.credentials, expires_at = excluded.expires_at,
      state = excluded.state, connected_at = excluded.connected_at, challenge = null, refreshing_until = null,
      renew_after = null, renew_trouble = null, renew_failures = 0,
      version = capability_accounts.version + 1`;
}

/** True for the one who may renew this very version now; the others wait until it is another. */
export async function claimRenewal(tx: Transaction, of: Of, version: number, now: Date, leaseMs: number) {
  const claimed = await tx`
    update capability_accounts set refreshing_until = ${after(now, leaseMs)}
    where capability_id = ${of.capability_id} and user_id = ${of.user_id} and version = ${version}
      and (refreshing_until is null or refreshing_until <= ${now})
      and (renew_after is null or renew_after <= ${now}) returning version`;
  return claimed.length > 0;
}

/** False where someone signed in again meanwhile: what they brought stays. */
export async function saveRenewed(
  tx: Transaction,
  sealer: Sealer,
  of: Of,
  version: number,
  credentials: Credentials,
  now: Date,
): Promise<void> {
  await tx`
    update capability_accounts set credentials = ${sealer.seal(JSON.stringify(credentials), context(of))},
      expires_at = ${expiryOf(credentials, now)}, refreshing_until = null,
      renew_after = null, renew_trouble = null, renew_failures = 0, version = version + 1
    where capability_id = ${of.capability_id} and user_id = ${of.user_id} and version = ${version}`;
}

/** Whoever gave the sign-in says that it is over: only the person can go on. */
export async function endAccount(tx: Transaction, of: Of, version: number): Promise<void> {
  await tx`
    update capability_accounts set refreshing_until = null, state = 'lost', renew_after = null, renew_trouble = null
    where capability_id = ${of.capability_id} and user_id = ${of.user_id} and version = ${version}`;
}

/** The renewal came to nothing: everything stays, and the next is asked for later. Gives when. */
export async function delayRenewal(
  tx: Transaction,
  of: Of,
  version: number,
  { why, wait_s }: { why: TroubleWhy; wait_s: number | null },
  now: Date,
): Promise<Date | null> {
  const [row] = await tx<{ renew_failures: number }[]>`
    update capability_accounts set renew_failures = renew_failures + 1
    where capability_id = ${of.capability_id} and user_id = ${of.user_id} and version = ${version}
    returning renew_failures`;
  if (!row) return null;
  const until = after(now, waitMs(row.renew_failures, wait_s));
  await tx`
    update capability_accounts set refreshing_until = null, renew_after = ${until}, renew_trouble = ${why}
    where capability_id = ${of.capability_id} and user_id = ${of.user_id} and version = ${version}`;
  return until;
}

/** What the next sign-in asks for beside. */
export async function keepChallenge(tx: Transaction, of: Of, challenge: Challenge): Promise<void> {
  await tx`update capability_accounts set state = 'lost', challenge = ${tx.json(challenge)}
           where capability_id = ${of.capability_id} and user_id = ${of.user_id}`;
}

export async function deleteAccount(tx: Transaction, of: Of): Promise<void> {
  await tx`delete from capability_accounts where capability_id = ${of.capability_id} and user_id = ${of.user_id}`;
  await tx`delete from capability_flows where capability_id = ${of.capability_id} and user_id = ${of.user_id}`;
}

const FLOW_MS = 10 * MINUTE_MS;
const hashOfState = (state: string): Buffer => createHash('sha256').update(state).digest();

export type Flow = Of & { session_id: string; draft: OauthDraft };

const flowContext = (state: string): string =>
  `capability_flows.draft ${hashOfState(state).toString('base64url')}`;

/** One way at a time for one person at one server; those that no one came back from go. */
export async function saveFlow(
  tx: Transaction,
  sealer: Sealer,
  state: string,
  { draft, ...flow }: Flow,
  now: Date,
): Promise<void> {
  await tx`delete from capability_flows where expires_at <= ${now}
           or (capability_id = ${flow.capability_id} and user_id = ${flow.user_id})`;
  const sealed = sealer.seal(JSON.stringify(draft), flowContext(state));
  await tx`insert into capability_flows ${tx({
    ...flow,
    state_hash: hashOfState(state),
    draft: sealed,
    expires_at: after(now, FLOW_MS),
  })}`;
}

/** A state is good once, in the session that it was made for. */
export async function takeFlow(
  tx: Transaction,
  sealer: Sealer,
  state: string,
  session_id: string,
  now: Date,
): Promise<Flow | null> {
  const [row] = await tx<(Of & { session_id: string; draft: string })[]>`
    delete from capability_flows
    where state_hash = ${hashOfState(state)} and session_id = ${session_id} and expires_at > ${now}
    returning capability_id, user_id, session_id, draft`;
  return row ? { ...row, draft: JSON.parse(sealer.open(row.draft, flowContext(state))) as OauthDraft } : null;
}
