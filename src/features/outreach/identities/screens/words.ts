// Sending identities in words for people: whether they send, by which way, and why not.
import type { Tone } from '../../../../ui/kit/pills.tsx';
import type { Identity } from '../contract.ts';
import { BOUNCES_LOST } from '../probe/probe.rules.ts';

const INACTIVE: Record<string, string> = {
  created: 'Never activated.',
  person: 'Someone deactivated it.',
  changed: 'Its address or outgoing mail changed. Test it, then activate it again.',
  domain_retired: 'Its domain was retired.',
  deleted: 'It was deleted.',
};

/** Why nothing leaves in its name; null where it may send. */
export function whyNot({
  active,
  state_reason,
  domain,
  domain_state,
  trouble,
  gone_at,
}: Identity): string | null {
  if (trouble && !gone_at) return trouble.says;
  if (!active) return INACTIVE[state_reason ?? 'person'] ?? 'It is inactive.';
  if (domain_state === 'paused')
    return `Its domain ${domain} is paused. Letters are held until it is resumed.`;
  return domain_state === 'unverified' ? `Its domain ${domain} has not passed its checks yet.` : null;
}

type Keeps = { sentence: string; fix: string; who: 'person' | null };

/** The same with what lifts it and who can. */
export function causes(identity: Identity): Keeps[] {
  const sentence = whyNot(identity);
  if (sentence === null) return [];
  if (identity.gone_at)
    return [
      { sentence, fix: 'Remove its people from their campaigns: no other identity takes over.', who: null },
    ];
  const { active, domain_state, trouble } = identity;
  const fix = trouble
    ? trouble.fix
    : !active
      ? 'Test it, then activate it.'
      : domain_state === 'paused'
        ? 'Review the evidence on the domain’s page, then resume it.'
        : 'Publish the DNS records on the domain’s page, then check it.';
  return [{ sentence, fix, who: 'person' }];
}

export const standing = (identity: Identity): { title: string; tone: Tone } => {
  if (identity.gone_at) return { title: 'Deleted', tone: 'mute' };
  if (!identity.active) return { title: 'Inactive', tone: 'mute' };
  return whyNot(identity) ? { title: 'Holding', tone: 'warn' } : { title: 'Active', tone: 'good' };
};

export const VENDOR: Record<string, string> = { resend: 'Resend' };

export function outgoingMail({ transport }: Identity): string {
  if (transport.kind === 'smtp') return `${transport.host}:${transport.port}`;
  return transport.kind === 'vendor' ? (VENDOR[transport.provider] ?? transport.provider) : 'Sandbox';
}

export function wayIn({ inbound }: Identity): string {
  if (inbound.kind === 'imap') return `${inbound.host}:${inbound.port}, ${inbound.mailbox}`;
  return inbound.kind === 'vendor'
    ? (VENDOR[inbound.provider] ?? inbound.provider)
    : 'None: replies aren’t read';
}

export const ENVELOPE: Record<
  Identity['envelope_sender'],
  { title: string; says: (domain: string) => string }
> = {
  bounce: {
    title: 'Bounce address',
    says: (domain) =>
      `Each letter has its own bounce address, bounce+…@${domain}. Route bounce@${domain} to this identity’s mailbox, and allow the identity’s login to send from it.`,
  },
  own: {
    title: 'Own address',
    says: () =>
      'Bounces go to the identity’s address and are matched by Message-ID. Choose this where the mail server refuses any other sender.',
  },
};

export const BOUNCES: Record<
  Identity['bounces']['arrive'],
  { title: string; says: string; outcome: 'pass' | 'fail' | 'unknown' }
> = {
  yes: {
    title: 'Bounces are being received.',
    says: 'The last probe arrived in its mailbox.',
    outcome: 'pass',
  },
  no: { title: 'Bounces aren’t being received.', says: BOUNCES_LOST, outcome: 'fail' },
  not_yet: {
    title: 'Waiting for the probe.',
    says: 'The probe is on its way. It usually takes less than a minute.',
    outcome: 'unknown',
  },
  unknown: {
    title: 'Not probed.',
    says: 'Send a probe to see whether bounces arrive in its mailbox.',
    outcome: 'unknown',
  },
};

export const TESTED: Record<'passing' | 'failing' | 'unknown', { title: string; tone: Tone }> = {
  passing: { title: 'Passed', tone: 'good' },
  failing: { title: 'Failed', tone: 'bad' },
  unknown: { title: 'Unclear', tone: 'warn' },
};

/** Copies of sent letters. */
export const COPIES = {
  mode: {
    auto: 'Automatic',
    append: 'Always save a copy',
    none: 'Don’t save copies',
  },
  filed_by: {
    provider: 'The provider saves copies itself.',
    product: 'A copy of each letter is saved in Sent after it leaves, unless one is there already.',
    nobody: 'No copies are saved.',
  },
  no_mailbox: 'Set up incoming mail (IMAP) to save copies of sent letters.',
  trouble: 'Copies can’t be saved.',
} as const;
