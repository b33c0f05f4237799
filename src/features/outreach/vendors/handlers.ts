// Handlers of vendors’ webhooks: the vendor is asked before the transaction, and its answer is written in it.
import { after } from '../../../kernel/clock.ts';
import { conflict, invalid, Refusal } from '../../../kernel/refusal.ts';
import { bind, bindAsking, type ReadContext, type WriteContext } from '../../../kernel/context.ts';
import type { Account, RefusedWhy, Vendor } from '../../../mail/vendor/vendor.ts';
import { vendorNamed } from '../../../mail/vendor/vendors.ts';
import { VENDORS, type Vendor as VendorName } from '../../../mail/transport.rules.ts';
import { providerEntry } from '../../access/providers/registry.rules.ts';
import { providerAccount, shownProviders } from '../../access/providers/store.ts';
import { vendorRead, vendorWebhookRegister, vendorWebhookRemove, vendorWebhookRotate } from './contract.ts';
import { deleteWebhook, saveRotation, saveWebhook, shownWebhook, webhookRow, webhookUrl } from './store.ts';

const VENDOR = 'vendors';

export const read = bind(vendorRead, async ({ db, app }) => {
  const keys = await shownProviders(db);
  const vendors = await Promise.all(
    VENDORS.map(async (provider) => {
      const row = await webhookRow(db, provider);
      return {
        provider,
        title: providerEntry(provider).title,
        key_set: keys.some((each) => each.provider === provider && each.set),
        events: [...knownVendor(provider).events],
        webhook: row && shownWebhook(row, app.instance.base_url),
      };
    }),
  );
  return { vendors };
});

export const register = bindAsking(
  vendorWebhookRegister,
  async (context, { provider, events }) => {
    const vendor = knownVendor(provider);
    const wanted = eventsFor(vendor, events);
    const url = webhookUrl(context.app.instance.base_url, provider);
    const account = await accountOf(context, provider);
    const asked = await vendor.createWebhook(account, url, wanted);
    if (!asked.ok) throw refusedBy(provider, asked.why);
    // One that was made while the instance had another name would go on posting what no one takes.
    const before = await webhookRow(context.db, provider);
    if (before && before.external_id !== asked.value.external_id)
      await vendor.removeWebhook(account, before.external_id);
    return { ...asked.value, events: wanted };
  },
  async (context, { provider }, made) => {
    const { db, app, caller, now } = context;
    await saveWebhook(db, app.sealer, { provider, ...made }, caller.principal, now);
    return shown(context, provider);
  },
  { cannot: 'This asks another server, which a rehearsal doesn’t do.' },
);

export const rotate = bindAsking(
  vendorWebhookRotate,
  async (context, { provider }) => {
    const row = await webhookRow(context.db, provider);
    if (!row) throw notRegistered(provider);
    const asked = await knownVendor(provider).rotateSecret(
      await accountOf(context, provider),
      row.external_id,
    );
    if (!asked.ok) throw refusedBy(provider, asked.why);
    return { external_id: row.external_id, secret: asked.value.secret };
  },
  async (context, { provider }, made) => {
    const { db, app, now } = context;
    const until = after(now, knownVendor(provider).rotation_ms);
    if (!(await saveRotation(db, app.sealer, { provider, ...made }, until, now)))
      throw conflict(
        'the webhook was registered again in the meantime, with a new secret: there is nothing to rotate',
      );
    return shown(context, provider);
  },
  { cannot: 'This asks another server, which a rehearsal doesn’t do.' },
);

/** Stopping works whatever the vendor does: what it posts from then on is refused. */
export const remove = bindAsking(
  vendorWebhookRemove,
  async (context, { provider }) => {
    const row = await webhookRow(context.db, provider);
    if (!row) throw notRegistered(provider);
    const account = await providerAccount(context.db, context.app, provider);
    return account !== null && (await knownVendor(provider).removeWebhook(account, row.external_id)).ok;
  },
  async (context, { provider }, told) => {
    await deleteWebhook(context.db, provider);
    context.tell(VENDOR, provider);
    const { title } = providerEntry(provider);
    const sentence = told
      ? `${title} reports nothing to this instance any more.`
      : `What ${title} posts is refused from now on; it could not be told, so delete the webhook there by hand.`;
    return { told, sentence };
  },
  { cannot: 'This asks another server, which a rehearsal doesn’t do.' },
);

function knownVendor(provider: VendorName): Vendor {
  const vendor = vendorNamed(provider);
  if (!vendor) throw new Error('a vendor of the contract is not known');
  return vendor;
}

function eventsFor({ events, protecting }: Vendor, named: readonly string[] | undefined): string[] {
  const unknown = (named ?? []).filter((each) => !events.includes(each));
  if (unknown.length > 0) {
    const says = `events: this vendor only has ${events.join(', ')}`;
    throw invalid(says, { events: says });
  }
  return events.filter((each) => (named ?? events).includes(each) || protecting.includes(each));
}

async function accountOf({ db, app }: ReadContext, provider: VendorName): Promise<Account> {
  const account = await providerAccount(db, app, provider);
  if (account) return account;
  throw conflict(
    `no ${providerEntry(provider).title} key is saved: save one under Settings › Integrations, or with PUT /api/admin/providers/${provider}/keys`,
  );
}

const notRegistered = (provider: VendorName): Refusal =>
  conflict(`no ${providerEntry(provider).title} webhook is registered: register one first`);

function refusedBy(provider: VendorName, why: RefusedWhy): Refusal {
  const { title } = providerEntry(provider);
  if (why === 'key')
    return conflict(
      `${title} doesn’t allow the saved key to manage webhooks: save a key with full access, then try again`,
    );
  if (why === 'gone')
    return conflict(
      `${title} no longer has this webhook: register it again, which also creates a new secret`,
    );
  if (why === 'refused')
    return conflict(
      `${title} rejected this webhook, because it must be able to reach this instance: ask the operator to check SERVICE_BASE_URL`,
    );
  return new Refusal(
    503,
    'unavailable',
    `${title} could not be reached, and nothing was changed: try again in a minute`,
  );
}

async function shown(context: WriteContext, provider: VendorName) {
  context.tell(VENDOR, provider);
  const row = await webhookRow(context.db, provider);
  if (!row) throw new Error('a webhook that was just written is gone');
  return { webhook: shownWebhook(row, context.app.instance.base_url) };
}
