// Sending identities in words for people: whether they send, by which way, and why not.
import type { Tone } from '../../../../ui/kit/pills.tsx';
import type { Identity } from '../contract.ts';
import { BOUNCES_LOST } from '../probe/probe.rules.ts';

const INACTIVE: Record<string, string> = {
  created: 'This identity was never activated.',
  person: 'Someone deactivated this identity.',
  changed: 'The address or outgoing mail changed. Test the identity, then activate it again.',
  domain_retired: 'The domain was retired.',
  deleted: 'This identity was deleted.',
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
  if (!active) return INACTIVE[state_reason ?? 'person'] ?? 'This identity is inactive.';
  if (domain_state === 'paused')
    return `The domain ${domain} is paused. Letters are held until someone resumes it.`;
  return domain_state === 'unverified' ? `The domain ${domain} hasn’t passed its checks.` : null;
}

type Keeps = { sentence: string; fix: string; who: 'person' | null };

/** The same with what lifts it and who can. */
export function causes(identity: Identity): Keeps[] {
  const sentence = whyNot(identity);
  if (sentence === null) return [];
  if (identity.gone_at)
    return [
      { sentence, fix: 'Remove its people from their campaigns. No other identity takes over.', who: null },
    ];
  const { active, domain_state, trouble } = identity;
  const fix = trouble
    ? trouble.fix
    : !active
      ? 'Test the identity, then activate it.'
      : domain_state === 'paused'
        ? 'Review the evidence on the domain’s page, then resume the domain.'
        : 'Publish the DNS records on the domain’s page, then check them.';
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
    : 'None (replies aren’t read)';
}

export const ENVELOPE: Record<
  Identity['envelope_sender'],
  { title: string; says: (domain: string) => string }
> = {
  bounce: {
    title: 'Bounce address',
    says: (domain) =>
      `Each letter has its own bounce address, bounce+…@${domain}. Deliver mail for bounce@${domain} to this identity’s mailbox, and allow the identity’s login to send from that address.`,
  },
  own: {
    title: 'Own address',
    says: () =>
      'Bounces go to the identity’s address and are matched by Message-ID. Choose this if the mail server refuses any other sender.',
  },
};

export const BOUNCES: Record<
  Identity['bounces']['arrive'],
  { title: string; says: string; outcome: 'pass' | 'fail' | 'unknown' }
> = {
  yes: {
    title: 'Bounces arrive.',
    says: 'The last probe arrived in this identity’s mailbox.',
    outcome: 'pass',
  },
  no: { title: 'Bounces don’t arrive.', says: BOUNCES_LOST, outcome: 'fail' },
  not_yet: {
    title: 'Probe on its way.',
    says: 'A probe usually takes less than a minute to arrive.',
    outcome: 'unknown',
  },
  unknown: {
    title: 'Not tested yet.',
    says: 'Send a probe to see whether bounces arrive in this identity’s mailbox.',
    outcome: 'unknown',
  },
};

export const TESTED: Record<'passing' | 'failing' | 'unknown', { title: string; tone: Tone }> = {
  passing: { title: 'Passed', tone: 'good' },
  failing: { title: 'Failed', tone: 'bad' },
  unknown: { title: 'Inconclusive', tone: 'warn' },
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
