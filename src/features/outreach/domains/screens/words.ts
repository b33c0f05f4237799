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
  spf: { title: 'SPF', says: 'Which servers may send for this domain' },
  dkim: { title: 'DKIM', says: 'The key that signs the letters' },
  dmarc: { title: 'DMARC', says: 'What receivers do with mail that fails authentication' },
  mx: { title: 'MX', says: 'Where replies and bounces arrive' },
  ptr: { title: 'PTR', says: 'The host name of the sending server' },
};

export const OUTCOME: Record<'passing' | 'failing' | 'unknown', { title: string; tone: Tone }> = {
  passing: { title: 'Passing', tone: 'good' },
  failing: { title: 'Failing', tone: 'bad' },
  unknown: { title: 'Unknown', tone: 'mute' },
};

/** Why a check fails. */
const FAILS: Record<string, string> = {
  missing: 'No record found.',
  several_records: 'There is more than one record. Keep only one.',
  malformed: 'The record isn’t valid.',
  spf_too_many_lookups: 'The record needs more than 10 DNS lookups.',
  spf_too_many_void_lookups: 'Too many names in the record don’t exist.',
  spf_host_not_authorised: 'The record doesn’t allow one of the sending servers.',
  dkim_revoked: 'The key in the record was revoked.',
  dkim_key_too_short: 'The key in the record is too short.',
  dkim_key_differs: 'The record has a different key.',
  dkim_key_not_for_mail: 'The key in the record isn’t meant for email.',
  mx_null: 'The record says that this domain accepts no mail.',
  ptr_missing: 'The sending server’s address has no host name.',
  ptr_differs: 'The sending server’s address and host name don’t match.',
};

/** Nothing was there, so what is shown is the name that was asked. */
const ASKED: ReadonlySet<string> = new Set(['missing', 'ptr_missing']);

type Checked = NonNullable<Domain['auth'][keyof Domain['auth']]>;

/** A failing check: what is wrong, and what DNS has, or the name at which it has nothing. */
export function failure({ why, found }: Checked): {
  says: string;
  label: string | null;
  code: string | null;
} {
  const label =
    found === null ? null : ASKED.has(why) ? 'Looked up' : why === 'dkim_key_differs' ? 'Published' : 'Found';
  return { says: FAILS[why] ?? 'The record doesn’t pass.', label, code: found };
}

/** No MX record can be named before someone says which server takes the mail. */
export const MX_UNKNOWN =
  'To get the MX record to publish, enter the incoming mail server under Record values.';

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
    { name: 'Policy rejections', count: policy, value: policy, share: false, warns: 2, pauses: 5 },
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
  if (state === 'unverified') return 'Publish the DNS records, then check them.';
  if (state === 'paused') return 'Review the evidence, fix the cause, then resume the domain.';
  if (unauthenticated_since) return 'Fix the DNS records. Letters are held until the checks pass.';
  return warned ? `Warning: ${inWords(warned).toLowerCase()}. The domain sends at half its cap.` : null;
}

const STANDS: Record<Domain['state'], string | null> = {
  unverified: 'The domain hasn’t passed its first check.',
  paused: 'The domain is paused. Its letters are held.',
  retired: 'The domain is permanently retired and sends no letters.',
  active: null,
};

/** What keeps all that it would send, with what lifts it and who can. */
export function causes(domain: Domain): { sentence: string; fix: string; who: 'person' | null }[] {
  const sentence =
    STANDS[domain.state] ??
    (domain.unauthenticated_since ? 'The domain’s DNS records fail their checks.' : null);
  if (sentence === null) return [];
  return [{ sentence, fix: nextStep(domain) ?? '', who: domain.state === 'retired' ? null : 'person' }];
}

/** Below the records: what no record can say. */
export const BOUNCE_ADDRESS = (domain: string): string =>
  `Bounces go to bounce+…@${domain}. The mail server in the MX record must deliver mail for that address to the identity’s mailbox. To test this, send a probe from the identity’s page. You can also use the identity’s own address for bounces.`;
