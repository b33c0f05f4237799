// The stages of the spine, by their names: people are found by how far they came in a campaign, and outreach moves them.

export const STAGES = [
  'enrolled',
  'contacted',
  'bounced',
  'replied',
  'declined',
  'positive',
  'meeting',
  'won',
  'unsubscribed',
] as const;
