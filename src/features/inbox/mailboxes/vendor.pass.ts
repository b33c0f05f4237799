// The pass that fetches mail which a vendor took for us, under the account's key and outside of any transaction, and stores it
// as it came. What the vendor no longer has, or what is larger than is taken, is as broken: nothing vanishes.
import { after, DAY_MS, SECOND_MS } from '../../../kernel/clock.ts';
import type { App } from '../../../kernel/app.ts';
import { type Lease, pass, type AnyPass } from '../../../kernel/pass.ts';
import { parseAddress } from '../../../mail/address.ts';
import type { Asked } from '../../../mail/vendor/vendor.ts';
import { vendorNamed } from '../../../mail/vendor/vendors.ts';
import { VENDORS } from '../../../mail/transport.rules.ts';
import { type Inbound, MAIL_IN, storeInbound } from './inbound.store.ts';
import { providerAccount } from '../../access/providers/store.ts';
import {
  claimMails,
  forgetFetched,
  identityAt,
  lockWaiting,
  releaseWaiting,
  settleWaiting,
  tryAgain,
  VENDOR_MAIL,
  type WaitingMail,
} from '../../outreach/vendors/mail.store.ts';

const LIMIT_BYTES = 25 * 1024 * 1024;
/** With the waits between them about three days. */
const MOST_TRIES = 80;
const KEPT_MS = 30 * DAY_MS;

const LOST = {
  gone: 'The vendor took this mail and no longer has it: ask whoever wrote it to send it again.',
  refused:
    'The vendor gives this mail in no form that is taken here, or it is larger than is taken: look at it there.',
  tries: 'The vendor took this mail and did not give it for three days: look at it there.',
} as const;

type Fetched = { row: WaitingMail; asked: Asked<Buffer> };

export const vendorMailPass: AnyPass = pass<WaitingMail, Fetched>({
  name: 'vendor_mail',
  wakes_on: [VENDOR_MAIL],
  interrupted_by: [],
  // What it fetched waits to be landed.
  tells: MAIL_IN,
  every_ms: 15 * SECOND_MS,
  batch: 10,
  at_a_time: 3,
  starts_within_ms: 20 * SECOND_MS,
  claim: claimMails,
  open: (app) => ({
    begin: async () => async (row, cut) => {
      const asked = await fetchMail(app, row, cut);
      return cut.aborted ? null : { row, asked };
    },
    close: () => undefined,
  }),
  async commit(tx, lease, results) {
    for (const each of results) await keep(tx, lease, each);
  },
  release: releaseWaiting,
  async tidy(tx, now) {
    await forgetFetched(tx, after(now, -KEPT_MS));
  },
});

async function fetchMail(
  app: App,
  { provider, external_id }: WaitingMail,
  cut: AbortSignal,
): Promise<Asked<Buffer>> {
  const vendor = vendorNamed(provider);
  const name = VENDORS.find((each) => each === provider);
  const account = name ? await providerAccount(app.database.reader, app, name) : null;
  if (!vendor || !account) return { ok: false, why: 'key' };
  return vendor.fetchMail(account, external_id, LIMIT_BYTES, cut);
}

async function keep(
  tx: Parameters<typeof storeInbound>[0],
  lease: Lease,
  { row, asked }: Fetched,
): Promise<void> {
  if (!(await lockWaiting(tx, lease, row))) return;
  const now = lease.from;
  const lost = asked.ok ? null : lostBy(asked.why, row.attempts);
  if (!asked.ok && lost === null) return tryAgain(tx, row, now);
  const normalised = row.delivered_to.flatMap((each) => {
    const read = parseAddress(each);
    return read.ok ? read.address.normalised : [];
  });
  const mail: Inbound = {
    key: `vendor:${row.provider}:${row.external_id}`,
    source: 'vendor',
    identity_id: await identityAt(tx, row.provider, normalised),
    folder_role: 'inbox',
    delivered_to: row.delivered_to,
    bytes: asked.ok ? asked.value : Buffer.alloc(0),
    cut: !asked.ok,
    received_at: row.received_at,
    broken: lost,
  };
  await storeInbound(tx, mail, now);
  await settleWaiting(tx, row, now);
}

/** Null: it is tried again, since a key can be saved and a vendor comes back. */
function lostBy(why: Extract<Asked<Buffer>, { ok: false }>['why'], attempts: number): string | null {
  if (why === 'gone' || why === 'refused') return LOST[why];
  return attempts >= MOST_TRIES ? LOST.tries : null;
}
