// Sending domains in words for people: their states, the five checks, and the rates that the warden watches.
import type { Tone } from '../../../../ui/kit/pills.tsx';
import type { CHECKED, Domain } from '../contract.ts';

export const STATE: Record<Domain['state'], { title: string; tone: Tone }> = {
  unverified: { title: 'Not verified', tone: 'warn' },
  active: { title: 'Active', tone: 'good' },
  paused: { title: 'Paused', tone: 'bad' },
  retired: { title: 'Retired', tone: 'mute' },
};
export const STATES = Object.keys(STATE) as Domain['state'][];

export const CHECK: Record<(typeof CHECKED)[number], { title: string; says: string }> = {
  spf: { title: 'SPF', says: 'Which servers may send for the domain' },
  dkim: { title: 'DKIM', says: 'The key that signs letters' },
  dmarc: { title: 'DMARC', says: 'What receivers should do with letters that fail' },
  mx: { title: 'MX', says: 'Where replies arrive' },
  ptr: { title: 'PTR', says: 'The name of the sending server' },
};

export const OUTCOME: Record<'passing' | 'failing' | 'unknown', { title: string; tone: Tone }> = {
  passing: { title: 'Passing', tone: 'good' },
  failing: { title: 'Failing', tone: 'bad' },
  unknown: { title: 'Unknown', tone: 'mute' },
};

export const CHECKS = Object.keys(CHECK) as (keyof typeof CHECK)[];

/** `hard_bounces` as `Hard bounces`. */
export const inWords = (code: string): string =>
  (code.charAt(0).toUpperCase() + code.slice(1)).replaceAll('_', ' ');

/** By shares of what was sent where `share`, by numbers of letters otherwise. */
export type Rate = {
  name: string;
  count: number;
  value: number;
  share: boolean;
  warns: number;
  pauses: number;
};

/** From so many letters on, complaints are a share and no number. */
const MANY = 1_000;

/** What is counted of the last seven days, beside what the warden warns and pauses at. */
export function ratesOf({ rates: { sent, hard, policy, complaints } }: Domain): Rate[] {
  const of = Math.max(sent, 1);
  const many = sent >= MANY;
  return [
    { name: 'Hard bounces', count: hard, value: hard / of, share: true, warns: 0.03, pauses: 0.05 },
    { name: 'Refused by policy', count: policy, value: policy, share: false, warns: 2, pauses: 5 },
    many
      ? {
          name: 'Complaints',
          count: complaints,
          value: complaints / of,
          share: true,
          warns: 1 / of,
          pauses: 0.001,
        }
      : { name: 'Complaints', count: complaints, value: complaints, share: false, warns: 1, pauses: 2 },
  ];
}

export const percent = (share: number): string =>
  new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: share < 0.01 ? 2 : 1 }).format(
    share,
  );

/** What is to be done with it now; null: nothing. */
export function nextStep({ state, unauthenticated_since, warned }: Domain): string | null {
  if (state === 'unverified') return 'Publish its DNS records, then check it.';
  if (state === 'paused') return 'Review the evidence, fix the cause, then resume it.';
  if (unauthenticated_since) return 'Fix its DNS records. Letters are held until the checks pass.';
  return warned ? `Warning: ${inWords(warned).toLowerCase()}. It sends at half its cap.` : null;
}

const STANDS: Record<Domain['state'], string | null> = {
  unverified: 'It hasn’t passed its first check.',
  paused: 'Paused. Letters due from this domain are held.',
  retired: 'It’s retired for good. It sends no letters.',
  active: null,
};

/** What keeps all that it would send, with what lifts it and who can. */
export function causes(domain: Domain): { sentence: string; fix: string; who: 'person' | null }[] {
  const sentence =
    STANDS[domain.state] ?? (domain.unauthenticated_since ? 'Its DNS records fail their checks.' : null);
  if (sentence === null) return [];
  return [{ sentence, fix: nextStep(domain) ?? '', who: domain.state === 'retired' ? null : 'person' }];
}

/** Below the records: what no record can say. */
export const BOUNCE_ADDRESS = (domain: string): string =>
  `Bounces go to bounce+…@${domain}. The mail server in the MX record must route that address to the identity’s mailbox. On the identity’s page, you can send a probe to test this, or use the identity’s own address instead.`;
