// Why each act is left to a person, in the words that the agent reads when it is stopped. acts.json, generated from the
// product's own declarations, lists the routes and tools of each act.

export const HARMS = {
  'send.approve': 'approving a send lets a letter go to a stranger, and a letter can’t be recalled',
  'answer.send': 'sending an answer puts it in someone’s inbox, and it can’t be recalled',
  'suppression.lift': 'lifting a suppression lets letters go to someone who asked not to be contacted',
  'campaign.activate': 'activating a campaign starts sending letters to everyone in it',
  'prospect.enrol': 'enrolling people starts sending letters to each of them',
  'campaign.review':
    'changing how letters are reviewed, or who sends them, can let letters go that no one has read',
  'domain.resume': 'resuming a paused domain sends letters from a domain whose reputation was just harmed',
  'identity.create': 'creating a sending identity lets mail go out under a new name',
  'identity.activate': 'setting a sending identity active lets mail go out under its name',
  'user.invite': 'inviting someone gives them an account on this instance',
  'vendor.webhook.register': 'registering the vendor webhook decides whose bounce reports are trusted',
  'vendor.webhook.rotate':
    'rotating the webhook secret stops bounce reports until the vendor has the new one',
  'provider.key.delete': 'deleting a provider’s key stops everything that uses it',
  'provider.key.save': 'saving a provider’s keys decides whose account is used and billed',
  'events.webhook.set': 'setting the events address sends this instance’s events to another machine',
  'events.secret.rotate': 'rotating the events signing secret breaks every receiver that uses the old one',
  'verify.send': 'verifying with a real letter sends mail to a stranger',
  'approval.decide': 'an agent doesn’t decide approvals: a person reviews what is parked',
  'token.mint': 'a token can’t mint tokens: it could give itself any permission',
};

/** Acts that depend on their arguments: true where these do no harm. Arguments that can’t be read count as harm. */
const HARMLESS = {
  campaign_enrol: (body) => body?.dry_run === true,
  identity_update: (body) => body !== null && body?.active !== true,
  outreach_verify: (body) => body !== null && body?.action !== 'send',
};

export const isHarmless = (operation, body) => HARMLESS[operation]?.(body) ?? false;

export const stopped = (act) =>
  act === 'approval.decide'
    ? `${HARMS[act]}. Tell the person what is waiting, and leave the decision to them.`
    : `stopped before it left this client: ${HARMS[act]}. Tell a person what is ready; they can do it on the screen.`;
