// The sections of Today in their order, what is worth most first, and which of the three parts of the screen each is in.

export const SECTIONS = [
  'positives',
  'approvals',
  'review',
  'erasures',
  'named',
  'uncertain',
  'held',
  'runs',
  'warnings',
  'domains',
  'identities',
  'campaigns',
  'events',
  'mail',
  'letters_wait',
  'snoozed',
  'events_wait',
] as const;
export type SectionName = (typeof SECTIONS)[number];

export type TodayPart = 'needs' | 'broken' | 'waits';

export const PART: Record<SectionName, TodayPart> = {
  positives: 'needs',
  approvals: 'needs',
  review: 'needs',
  erasures: 'needs',
  named: 'needs',
  uncertain: 'needs',
  held: 'needs',
  runs: 'needs',
  warnings: 'needs',
  domains: 'broken',
  identities: 'broken',
  campaigns: 'broken',
  events: 'broken',
  mail: 'broken',
  letters_wait: 'waits',
  snoozed: 'waits',
  events_wait: 'waits',
};
