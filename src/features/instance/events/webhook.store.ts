// All SQL of the events address and its secret: one row, locked by whoever changes it, so that two calls at once make one
// order of changes and one secret.
import type { Reader, Transaction } from '../../../kernel/database.ts';
import type { Webhook } from './webhook.contract.ts';

/** The row; `secret` is sealed. */
export type StoredWebhook = {
  url: string | null;
  delivering: boolean;
  secret: string | null;
  failing_since: Date | null;
};

const UNSET: StoredWebhook = { url: null, delivering: false, secret: null, failing_since: null };

export async function storedWebhook(db: Reader): Promise<StoredWebhook> {
  const [row] = await db<StoredWebhook[]>`select url, delivering, secret, failing_since from events_webhook`;
  return row ?? UNSET;
}

export async function lockWebhook(tx: Transaction): Promise<StoredWebhook> {
  await tx`insert into events_webhook (the_one) values (true) on conflict do nothing`;
  const [row] = await tx<StoredWebhook[]>`
    select url, delivering, secret, failing_since from events_webhook for update`;
  return row ?? UNSET;
}

/** A new address has failed no one yet. */
export async function saveAddress(tx: Transaction, url: string, delivering: boolean): Promise<void> {
  await tx`update events_webhook set failing_since = case when url = ${url} then failing_since end,
             url = ${url}, delivering = ${delivering}`;
}

export async function saveSecret(tx: Transaction, sealed: string, now: Date): Promise<void> {
  await tx`update events_webhook set secret = ${sealed}, secret_at = ${now}`;
}

export async function stopDelivering(tx: Transaction): Promise<void> {
  await tx`update events_webhook set delivering = false`;
}

/** Part of a statement. Attempts that were made at `url`: the last went well, or it did not, at `now`. */
export const saveHealth = (tx: Transaction, url: string, wentWell: boolean, now: Date) => tx`
    update events_webhook set failing_since = ${wentWell ? null : now}
    where url = ${url} and (failing_since is null) = ${!wentWell}`;

export const shownWebhook = (row: StoredWebhook): Webhook => ({
  url: row.url,
  on: row.delivering,
  has_secret: row.secret !== null,
  failing_since: row.failing_since?.toISOString() ?? null,
});
