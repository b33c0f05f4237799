// Suppressions in words: reasons, states, and the harm that lifting each of them does.
import type { Tone } from '../../../../ui/kit/pills.tsx';
import type { Suppression } from '../contract.ts';

type Reason = Suppression['reason'];

export const REASON: Record<Reason, { title: string; tone: Tone; why: string; harm: string }> = {
  complaint: {
    title: 'Complaint',
    tone: 'bad',
    why: 'They reported a letter as spam.',
    harm: 'They reported a letter as spam. Another one harms your sending domain’s reputation with their provider, for everyone you write to, and may be unlawful.',
  },
  legal: {
    title: 'Legal demand',
    tone: 'bad',
    why: 'A legal request to stop contact.',
    harm: 'A legal demand forbids contact. Another letter may lead to court action.',
  },
  unsubscribe: {
    title: 'Unsubscribed',
    tone: 'warn',
    why: 'They asked not to be contacted.',
    harm: 'They asked not to be contacted. Contacting them again without new consent is unlawful in most places and likely to cause a complaint.',
  },
  hard_bounce: {
    title: 'Hard bounce',
    tone: 'warn',
    why: 'The address does not exist.',
    harm: 'The address did not exist. If it still doesn’t, the letter bounces, and bounces can pause the sending domain.',
  },
  manual: {
    title: 'By hand',
    tone: 'mute',
    why: 'Added by someone here.',
    harm: 'Someone here added this suppression. The note may not give the full reason.',
  },
  import: {
    title: 'Import',
    tone: 'mute',
    why: 'Imported with a list of addresses not to contact.',
    harm: 'Imported with a list of addresses not to contact. The reasons aren’t known.',
  },
};

export const REASONS_LISTED = Object.keys(REASON) as Reason[];

export const STATE: Record<Suppression['state'], { title: string; tone: Tone }> = {
  standing: { title: 'Active', tone: 'warn' },
  lifted: { title: 'Lifted', tone: 'mute' },
  ended: { title: 'Ended', tone: 'mute' },
};

/** Who may lift it, in a sentence. */
export const whoMayLift = (reason: Reason): string =>
  reason === 'complaint' || reason === 'legal'
    ? 'Only a signed-in person can lift it. No token can, whatever its scopes.'
    : 'A person with permission to lift suppressions can lift it, or a token with the wire scope.';

/** What it is on, in words; the value of someone who was erased is not kept. */
export const named = (row: Pick<Suppression, 'value' | 'kind'>): string => row.value ?? 'An erased address';
