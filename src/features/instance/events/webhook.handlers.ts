// Handlers of the events address and its secret. The address is checked here and on every pass; a secret is drawn here and
// leaves in the answer of the call that drew it, once.
import { invalid } from '../../../kernel/refusal.ts';
import { type ReadContext, type WriteContext, bind, bindAsking } from '../../../kernel/context.ts';
import { Secret } from '../../../kernel/secret.ts';
import { admitUrl } from '../../../net/resolve.ts';
import { WEBHOOK } from './pass.ts';
import { sealSecret } from './secret.ts';
import { drawSecret } from './signature.ts';
import {
  eventsSecretRotate,
  eventsWebhookGet,
  eventsWebhookOff,
  eventsWebhookSet,
} from './webhook.contract.ts';
import {
  lockWebhook,
  saveAddress,
  saveSecret,
  shownWebhook,
  stopDelivering,
  storedWebhook,
} from './webhook.store.ts';

export const webhookGet = bind(eventsWebhookGet, async ({ db }) => ({
  webhook: shownWebhook(await storedWebhook(db)),
}));

export const webhookSet = bindAsking(
  eventsWebhookSet,
  admittedAddress,
  async (context, { on, secret }, url) => {
    const { db } = context;
    const before = await lockWebhook(db);
    await saveAddress(db, url, on);
    const minted = on && secret === undefined && before.secret === null ? drawSecret() : null;
    const kept = minted ?? (secret === undefined ? null : new Secret(secret));
    if (kept) await keepSecret(context, kept);
    context.tell(WEBHOOK, '');
    const webhook = shownWebhook(await lockWebhook(db));
    return { webhook, ...(minted && { secret: minted.reveal() }) };
  },
  { instead: async (_, { url }) => url, says: 'A rehearsal doesn’t look up the address.' },
);

export const webhookOff = bind(eventsWebhookOff, async ({ db, tell }) => {
  await lockWebhook(db);
  await stopDelivering(db);
  tell(WEBHOOK, '');
  return { webhook: shownWebhook(await lockWebhook(db)) };
});

export const secretRotate = bind(eventsSecretRotate, async (context) => {
  await lockWebhook(context.db);
  const secret = drawSecret();
  await keepSecret(context, secret);
  context.tell(WEBHOOK, '');
  return { secret: secret.reveal() };
});

async function admittedAddress({ app }: ReadContext, { url }: { url: string }): Promise<string> {
  const admitted = await admitUrl(url, app.outside.events, { lookup: app.outside.lookup });
  if (!admitted.ok) throw invalid(admitted.sentence, { url: admitted.sentence });
  return admitted.url;
}

const keepSecret = ({ db, app, now }: WriteContext, secret: Secret): Promise<void> =>
  saveSecret(db, sealSecret(app, secret), now);
