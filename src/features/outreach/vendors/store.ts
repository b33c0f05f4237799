// All SQL of vendors' webhooks: their secrets sealed, the events that came, and the names under which letters went on.
import { withoutEnd } from '../../../kernel/edges.ts';
import type { Principal } from '../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import type { Sealer } from '../../../kernel/app.ts';
import { MINUTE_MS, after } from '../../../kernel/clock.ts';
import { knownPrincipalIn, principalColumns, type PrincipalColumns } from '../../../kernel/principal-row.ts';
import { Secret } from '../../../kernel/secret.ts';
import { bracketed } from '../deliveries/rules.ts';
import type { Vendor } from '../../../mail/transport.rules.ts';
import type { VendorWebhook } from './contract.ts';

export type WebhookRow = PrincipalColumns<'registered_by'> & {
  provider: string;
  external_id: string;
  events: string[];
  secret: string;
  previous_secret: string | null;
  previous_until: Date | null;
  registered_at: Date;
  rotated_at: Date | null;
  last_event_at: Date | null;
};

const context = (provider: string): string => `vendor_webhooks.secret ${provider}`;

export async function webhookRow(db: Reader, provider: string): Promise<WebhookRow | null> {
  const [row] = await db<WebhookRow[]>`select * from vendor_webhooks where provider = ${provider}`;
  return row ?? null;
}

export const webhookUrl = (base_url: string, provider: string): string =>
  `${withoutEnd(base_url, '/')}/hooks/vendor/${provider}`;

export const shownWebhook = (row: WebhookRow, base_url: string): VendorWebhook => ({
  provider: row.provider as Vendor,
  url: webhookUrl(base_url, row.provider),
  events: row.events,
  registered_by: knownPrincipalIn(row, 'registered_by'),
  registered_at: row.registered_at.toISOString(),
  rotated_at: row.rotated_at?.toISOString() ?? null,
  last_event_at: row.last_event_at?.toISOString() ?? null,
});

/** Secrets that a post may be signed with now; those that do not open under this instance's key are none. */
export function secretsOf(row: WebhookRow, sealer: Sealer, now: Date): Secret[] {
  const previous = row.previous_until !== null && row.previous_until > now ? row.previous_secret : null;
  return [row.secret, previous].flatMap((sealed) => {
    if (sealed === null) return [];
    try {
      return new Secret(sealer.open(sealed, context(row.provider)));
    } catch {
      return [];
    }
  });
}

export async function saveWebhook(
  tx: Transaction,
  sealer: Sealer,
  webhook: { provider: string; external_id: string; secret: Secret; events: readonly string[] },
  by: Principal,
  now: Date,
): Promise<void> {
  const { provider, external_id, secret, events } = webhook;
  await tx`delete from vendor_webhooks where provider = ${provider}`;
  await tx`insert into vendor_webhooks ${tx({
    provider,
    external_id,
    events: [...events],
    secret: sealer.seal(secret.reveal(), context(provider)),
    ...principalColumns(tx, 'registered_by', by),
    registered_at: now,
  })}`;
}

/** False: another webhook took its place meanwhile. */
export async function saveRotation(
  tx: Transaction,
  sealer: Sealer,
  { provider, external_id, secret }: { provider: string; external_id: string; secret: Secret },
  previous_until: Date,
  now: Date,
): Promise<boolean> {
  const rotated = await tx`
    update vendor_webhooks set previous_secret = secret, previous_until = ${previous_until},
      secret = ${sealer.seal(secret.reveal(), context(provider))}, rotated_at = ${now}
    where provider = ${provider} and external_id = ${external_id} returning 1`;
  return rotated.length > 0;
}

export async function deleteWebhook(tx: Transaction, provider: string): Promise<void> {
  await tx`delete from vendor_webhooks where provider = ${provider}`;
}

/** False: this event came before. */
export async function takeEvent(
  tx: Transaction,
  event: { provider: string; event_id: string; kind: string },
  now: Date,
): Promise<boolean> {
  const taken = await tx`
    insert into vendor_events ${tx({ ...event, received_at: now })} on conflict do nothing returning 1`;
  return taken.length > 0;
}

/** To the minute, so that a thousand reports do not wait for one row. */
export async function noteEvent(tx: Transaction, provider: string, now: Date): Promise<void> {
  await tx`
    update vendor_webhooks set last_event_at = ${now}
    where provider = ${provider} and (last_event_at is null or last_event_at < ${after(now, -MINUTE_MS)})`;
}

export async function keepNames(
  tx: Transaction,
  {
    provider,
    external_id,
    send_id,
    message_id,
  }: {
    provider: string;
    external_id: string;
    send_id: string;
    message_id: string | null;
  },
): Promise<void> {
  await tx`
    insert into vendor_letters (provider, external_id, send_id, message_id)
    select ${provider}, ${external_id}, s.id,
      ${message_id === null ? null : bracketed(message_id)} from sends s where s.id = ${send_id}
    on conflict (provider, external_id) do update set message_id = excluded.message_id
      where vendor_letters.message_id is null and excluded.message_id is not null`;
}

/** The letter that a vendor knows by this id. */
export async function letterKnownAs(
  db: Reader,
  provider: string,
  external_id: string,
): Promise<string | null> {
  const [row] = await db<{ send_id: string }[]>`
    select send_id from vendor_letters where provider = ${provider} and external_id = ${external_id}`;
  return row?.send_id ?? null;
}

export async function forgetEvents(tx: Transaction, before: Date): Promise<void> {
  await tx`
    delete from vendor_events where (provider, event_id) in (
      select provider, event_id from vendor_events where received_at < ${before} order by received_at limit 10000)`;
}
