// The sixteen acts that need the wire scope (interface specification §5), by name and in its order. An operation claims one in
// its `wire` field. The process doesn’t start if an act isn’t claimed.

export const WIRE_ACTS = [
  'send.approve',
  'answer.send',
  'suppression.lift',
  'campaign.activate',
  'prospect.enrol',
  'campaign.review',
  'domain.resume',
  'identity.create',
  'identity.activate',
  'user.invite',
  'vendor.webhook.register',
  'vendor.webhook.rotate',
  'provider.key.delete',
  'provider.key.save',
  'events.webhook.set',
  'events.secret.rotate',
] as const;

export type WireAct = (typeof WIRE_ACTS)[number];

/**
 * Gated in the same way beside the sixteen: verifying by a real letter (the last paragraph of the list in §5), and the probe of a
 * bounce address, which is a mail of ours too.
 */
export const GATED_BESIDE = ['verify.send', 'identity.probe'] as const;

export type GatedAct = WireAct | (typeof GATED_BESIDE)[number];
