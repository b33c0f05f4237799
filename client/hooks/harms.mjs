// What each act does that cannot be undone, in the words that the agent reads when it is stopped. The routes and tools of
// each act are in acts.json, which is generated from the product's own declarations.

export const HARMS = {
  'send.approve': 'approving a send lets a letter go to a stranger, and no letter comes back',
  'answer.send': 'sending an answer puts words into somebody’s inbox, and they cannot be called back',
  'suppression.lift': 'lifting a suppression lets somebody be written to who asked not to be',
  'campaign.activate': 'activating a campaign starts letters to everybody who is in it',
  'prospect.enrol': 'enrolling people starts letters to each of them',
  'campaign.review':
    'changing how letters are reviewed, or who sends them, lets letters go that nobody has read',
  'domain.resume': 'resuming a paused domain sends on with a reputation that was just harmed',
  'identity.create': 'creating a sending identity lets mail go out under a new name',
  'identity.activate': 'setting a sending identity active lets mail go out under its name',
  'user.invite': 'inviting somebody gives a stranger an account on this instance',
  'vendor.webhook.register': 'registering the vendor webhook decides whose reports of bounces are believed',
  'vendor.webhook.rotate':
    'rotating the webhook secret stops reports of bounces until the vendor knows the new one',
  'provider.key.delete': 'deleting a provider’s key stops everything that works by it',
  'provider.key.save': 'saving a provider’s keys decides whose account is used and billed',
  'events.webhook.set': 'setting the events address sends what happens on this instance to another machine',
  'events.secret.rotate': 'rotating the events signing secret breaks every receiver that holds the old one',
  'verify.send': 'verifying by a real letter writes to a stranger',
  'approval.decide': 'an agent does not decide approvals: what waits was parked so that a person looks at it',
  'token.mint': 'a token cannot mint tokens: whoever holds it could give itself every right',
};

/** Acts that depend on what is asked: true where these arguments do the harm. Arguments that cannot be read count as harm. */
const HARMLESS = {
  campaign_enrol: (body) => body?.dry_run === true,
  identity_update: (body) => body !== null && body?.active !== true,
  outreach_verify: (body) => body !== null && body?.action !== 'send',
};

export const isHarmless = (operation, body) => HARMLESS[operation]?.(body) ?? false;

export const stopped = (act) =>
  act === 'approval.decide'
    ? `${HARMS[act]}. Tell the person what waits and leave the decision to them.`
    : `stopped before it left this client: ${HARMS[act]}. A person must do it, on the screen; tell them what is ready.`;
