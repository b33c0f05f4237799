// POST /hooks/vendor/:provider: what a mail vendor says happened to letters, and that mail came in, which is fetched later. Who signed nothing is refused before a word is
// read; what came before does nothing again, in whatever order it comes; and nothing that comes here starts or permits a letter.
import type { Hook } from '../../../kernel/hook.ts';
import type { App } from '../../../kernel/app.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { addressHash, parseAddress } from '../../../mail/address.ts';
import type { VendorEvent, VendorReport } from '../../../mail/vendor/vendor.ts';
import { vendorNamed } from '../../../mail/vendor/vendors.ts';
import { recordDelivery } from '../deliveries/record.ts';
import type { Delivery } from '../deliveries/rules.ts';
import type { OnSent } from '../sends/letter/on-sent.ts';
import { awaitMail, VENDOR_MAIL } from './mail.store.ts';
import { keepNames, letterKnownAs, noteEvent, secretsOf, takeEvent, webhookRow } from './store.ts';

/** Reports are some kilobytes. */
const LIMIT_BYTES = 256 * 1024;

/** One sentence for every cause: no one learns here what is registered. */
const unsigned = (): Refusal =>
  new Refusal(
    401,
    'unauthorized',
    'unauthorized: only events signed by a registered vendor are accepted here',
  );

const TAKEN = { status: 200, headers: { 'content-type': 'application/json' }, body: '{"ok":true}' };

export const vendorHook = (on_sent: OnSent): Hook => ({
  method: 'POST',
  path: '/hooks/vendor/:provider',
  async handle(app, { name, headers, body }) {
    const vendor = vendorNamed(name);
    if (!vendor?.claimsSignature(headers)) throw unsigned();
    const row = await webhookRow(app.database.reader, vendor.provider);
    if (!row) throw unsigned();
    const now = app.clock.now();
    const bytes = await body(LIMIT_BYTES);
    const event_id = vendor.verify(headers, bytes, secretsOf(row, app.sealer, now), now);
    if (event_id === null) throw unsigned();
    const event = vendor.read(bytes, now);
    // Signed, and not what we know: taken all the same, since sending it again would not change it.
    await take(app, vendor.provider, event_id, event, on_sent);
    return TAKEN;
  },
});

async function take(
  app: App,
  provider: string,
  event_id: string,
  event: VendorEvent | null,
  on_sent: OnSent,
): Promise<void> {
  const { database, clock } = app;
  const { kind = 'unreadable', report = null, received = null } = event ?? {};
  const changes = await database.transact(async (tx) => {
    const now = clock.now();
    if (!(await takeEvent(tx, { provider, event_id, kind }, now))) return [];
    await noteEvent(tx, provider, now);
    if (received) {
      await awaitMail(tx, provider, received, now);
      return [{ topic: VENDOR_MAIL, id: '' }];
    }
    if (!report) return [];
    const { external_id, message_id } = report;
    const known = external_id === null ? null : await letterKnownAs(tx, provider, external_id);
    const send_id = report.send_id ?? known;
    const delivery = deliveryOf(`${provider}:${event_id}`, { ...report, send_id });
    const emit: Parameters<typeof recordDelivery>[2]['emit'] = (event, data) =>
      database.emit(tx, event, data, now);
    const recorded = await recordDelivery(tx, delivery, { emit, now, on_sent });
    // After it: a row that names a letter is written under the letter's lock.
    if (send_id !== null && external_id !== null)
      await keepNames(tx, { provider, external_id, send_id, message_id });
    return recorded.changes;
  });
  database.tell(changes);
}

function deliveryOf(key: string, report: VendorReport): Delivery {
  const { kind, send_id, message_id, recipients, status, cause, said, at } = report;
  // One letter of ours goes to one person; of several addresses none is meant more than another.
  const [only] = recipients.length === 1 ? recipients : [];
  const read = only === undefined ? null : parseAddress(only);
  return {
    key,
    kind,
    source: 'vendor',
    send:
      send_id === null ? { message_ids: message_id === null ? [] : [message_id] } : { id: send_id, by: 'id' },
    status,
    cause,
    said,
    recipient_hash: read?.ok ? addressHash(read.address.normalised) : null,
    at,
  };
}
