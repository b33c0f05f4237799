// The pass that sends deliveries: fifty rows a batch, ten at a time, one look at the address for all of them. A retry posts
// the same bytes under the same id, signed with the key of the day.
import { DAY_MS, SECOND_MS, after } from '../../../kernel/clock.ts';
import { DELIVERIES_DUE } from '../../../kernel/events.rules.ts';
import type { App } from '../../../kernel/app.ts';
import { pass, type AnyPass, type Crew } from '../../../kernel/pass.ts';
import { openPool, postPinned, type Pool } from '../../../net/post.ts';
import { admitUrl } from '../../../net/resolve.ts';
import { attemptOf, ruleAttempt, type Attempt } from './ladder.rules.ts';
import {
  claimDue,
  forgetDeliveries,
  giveBack,
  settle,
  type DueDelivery,
  type SettledDelivery,
} from './lease.store.ts';
import { openSecret } from './secret.ts';
import { signatureOf } from './signature.ts';
import { saveHealth, storedWebhook, type StoredWebhook } from './webhook.store.ts';

const KEPT_MS = 30 * DAY_MS;

/** Notifies that deliveries, or where they go, changed: open screens read again, and a running batch starts nothing more. */
const DELIVERIES = 'events';
export const WEBHOOK = 'events_webhook';

type Result = SettledDelivery & { at: Date; url: string | null };

/** For one attempt 10 s; a batch of fifty hanging receivers ends at 45 s, well inside its lease of 60. */
export const LIMITS = { attempt_ms: 10 * SECOND_MS, starts_within_ms: 35 * SECOND_MS };

export const deliveriesPass = (limits: typeof LIMITS): AnyPass =>
  pass<DueDelivery, Result>({
    name: 'deliveries',
    wakes_on: [DELIVERIES_DUE],
    interrupted_by: [WEBHOOK],
    tells: DELIVERIES,
    every_ms: 2 * SECOND_MS,
    batch: 50,
    at_a_time: 10,
    starts_within_ms: limits.starts_within_ms,
    in_one_statement: true,
    claim: claimDue,
    open: (app) => openCrew(app, limits.attempt_ms),
    async commit(tx, lease, results) {
      const last = results.findLast(({ url }) => url !== null);
      const health = last?.url ? saveHealth(tx, last.url, last.state === 'delivered', last.at) : null;
      await settle(tx, lease, results, health);
    },
    release: giveBack,
    async tidy(tx, now) {
      await forgetDeliveries(tx, after(now, -KEPT_MS));
    },
  });

/** Connections are kept from batch to batch: a pool knows them by the addresses that each batch has checked again. */
function openCrew(app: App, attempt_ms: number): Crew<DueDelivery, Result> {
  const pool = openPool();
  return {
    async begin() {
      const webhook = await storedWebhook(app.database.reader);
      const way = await openWay(app, webhook, pool, attempt_ms);
      return async (row, cut) => {
        const attempt = await way(row, cut);
        if (attempt === null) return null;
        const at = app.clock.now();
        const url = attempt.kind === 'skipped' ? null : webhook.url;
        return { id: row.id, at, url, ...ruleAttempt(row.attempts, attempt, at, Math.random()) };
      };
    },
    close: () => pool.close(),
  };
}

/** How every row of a batch goes out, or why none does. */
type Way = (row: DueDelivery, cut: AbortSignal) => Promise<Attempt | null>;

const noWay =
  (attempt: Attempt): Way =>
  async () =>
    attempt;

const failed = (error: string): Attempt => ({ kind: 'failed', status: null, error });

async function openWay(app: App, webhook: StoredWebhook, pool: Pool, timeoutMs: number): Promise<Way> {
  if (webhook.url === null || !webhook.delivering) return noWay({ kind: 'skipped' });
  const secret = openSecret(app, webhook.secret);
  if (secret === null) return noWay(failed('no signing secret'));
  // Once a batch (interface specification §6): a refusal fails every row of it, and each spends a rung.
  const admitted = await admitUrl(webhook.url, app.outside.events, { lookup: app.outside.lookup });
  if (!admitted.ok) return noWay(failed('address_refused'));

  const { url, addresses } = admitted;
  const agent = `Dunnock/${app.instance.version}`;
  return async ({ id, event, body }, signal) => {
    const headers = {
      'content-type': 'application/json',
      'user-agent': agent,
      'X-Service-Event': event,
      'X-Service-Delivery': id,
      'X-Service-Signature': signatureOf(secret, body),
    };
    const answer = await postPinned({ url, addresses, headers, body, timeoutMs, signal, pool });
    return answer.error === 'cancelled' ? null : attemptOf(answer);
  };
}
