// What is broken or about to be: warnings, domains, mailboxes, campaigns that stopped themselves, events no one took, mail that
// found no place.
import { DAY_MS, after } from '../../../kernel/clock.ts';
import { decide } from '../../../kernel/policy.ts';
import type { ReadContext } from '../../../kernel/context.ts';
import type { AttentionCode } from '../../outreach/campaigns/metrics.contract.ts';
import { campaignName } from '../../outreach/campaigns/rules.ts';
import { allPages, short } from '../digests/section.ts';
import { type Domain, domainList } from '../../outreach/domains/contract.ts';
import { eventsRecent } from '../events/deliveries.contract.ts';
import { BOUNCES_LOST } from '../../outreach/identities/probe/probe.rules.ts';
import { identityList } from '../../outreach/identities/contract.ts';
import { quarantineList } from '../../inbox/inbound/contract.ts';
import type { TodayRow, TodaySection } from './contract.ts';
import { closedFor, many, row, section } from './section.ts';
import { type Asking, campaignsAsking, campaignsStopped } from './store.ts';

const SHOWN = 20;
const COMPLAINTS_MS = 7 * DAY_MS;
/** Failing ones of these keep letters from arriving; the others only tell against a domain. */
const AUTHENTICATES = ['spf', 'dkim', 'dmarc'];

export async function brokenOf(context: ReadContext): Promise<(TodaySection | null)[]> {
  const READ_DOMAIN = 'outreach.domain.read';
  let listed: Promise<Domain[]> | null = null;
  const domains = () =>
    (listed ??= allPages((cursor) => context.invoke(domainList, { limit: 200, cursor })).then((rows) =>
      rows.filter(({ state }) => state !== 'retired'),
    ));
  const campaigns = await section(context, 'warnings', 'outreach.campaign.read', '/campaigns', async () => ({
    rows: await asking(context),
  }));
  const warned = await section(context, 'warnings', READ_DOMAIN, '/settings/domains', async () => ({
    rows: (await domains()).flatMap(warning),
  }));
  const rows = [...(warned?.rows ?? []), ...(campaigns?.rows ?? [])];
  return [
    (warned ?? campaigns) && {
      name: 'warnings',
      rows,
      count: rows.length,
      more: false,
      place: warned && warned.rows.length > 0 ? warned.place : '/campaigns',
    },
    await section(context, 'domains', READ_DOMAIN, '/settings/domains', async () => ({
      rows: (await domains()).flatMap(troubled),
    })),
    await section(context, 'identities', 'outreach.identity.read', '/settings/identities', () =>
      identities(context),
    ),
    await section(context, 'campaigns', 'outreach.campaign.read', '/campaigns', () => stopped(context)),
    await section(context, 'events', 'admin.event.read', '/settings/integrations', () => events(context)),
    await section(context, 'mail', 'outreach.inbound.read', '/inbox/quarantine', () => mail(context)),
  ];
}

const ofDomain = ({ id, name }: Domain, code: AttentionCode, says: string, since: string | null): TodayRow =>
  row({ key: `${code}:${id}`, id, code, title: name, says, since, place: `/settings/domains/${id}` });

/** One row a domain: what stops it says more than what only tells against it. */
function troubled(domain: Domain): TodayRow[] {
  const failing = AUTHENTICATES.filter((name) => domain.auth[name]?.outcome === 'failing');
  const failed = `${failing.map((name) => name.toUpperCase()).join(', ')} ${failing.length === 1 ? 'fails' : 'fail'}`;
  if (domain.state === 'paused')
    return [
      ofDomain(
        domain,
        'domain_paused',
        `Paused by ${domain.paused_by === 'warden' ? 'the warden' : 'a person'}. No letters are sent from this domain. Review the evidence, fix the cause and resume the domain.`,
        domain.paused_at,
      ),
    ];
  if (failing.length === 0) return [];
  const says = `${failed}: letters are held or land in spam. Publish the records listed on the domain’s page, then check again.`;
  return [{ ...ofDomain(domain, 'auth_failing', says, domain.auth_failing_since), who: 'operator' }];
}

function warning(domain: Domain): TodayRow[] {
  if (domain.state !== 'active') return [];
  if (domain.warned !== null)
    return [
      ofDomain(
        domain,
        'domain_warned',
        'The warden issued a warning, so this domain can send only half its usual volume. Review the evidence.',
        domain.warned_at,
      ),
    ];
  const outcomes = AUTHENTICATES.map((name) => domain.auth[name]?.outcome);
  if (outcomes.includes('failing') || !outcomes.includes('unknown')) return [];
  const says = 'SPF, DKIM or DMARC couldn’t be checked. Try again.';
  return [ofDomain(domain, 'auth_unknown', says, domain.checked_at)];
}

async function asking(context: ReadContext): Promise<TodayRow[]> {
  const found = await campaignsAsking(context.db, after(context.now, -COMPLAINTS_MS));
  return found
    .filter(({ id }) => decide(context.caller.rights, 'outreach.campaign.read', [campaignName(id)]).allowed)
    .flatMap(ofCampaign);
}

function ofCampaign(campaign: Asking): TodayRow[] {
  const { id, name, senders, inactive, complaints, complained_at, unconfirmed } = campaign;
  // What is to be changed is in the settings; what is to be read is on the overview.
  const of = (code: AttentionCode, says: string, since: Date, tab = 'settings'): TodayRow =>
    row({
      key: `${code}:${id}`,
      id,
      code,
      title: short(name),
      says,
      since: since.toISOString(),
      place: `/campaigns/${id}?view=${tab}`,
    });
  return [
    complaints > 0 &&
      of(
        'complaint_seen',
        `${many(complaints, 'recipient', 'recipients')} complained this week. Reread the letters as a recipient would.`,
        complained_at ?? campaign.since,
        'steps',
      ),
    senders === 0 &&
      of(
        'pool_empty',
        'This campaign is running, but its pool has no identities. Add identities to the pool.',
        campaign.since,
      ),
    inactive > 0 &&
      of(
        'identity_inactive',
        `${many(inactive, 'identity in its pool is', 'identities in its pool are')} not active, so the people assigned to them are waiting.`,
        campaign.since,
      ),
    unconfirmed &&
      of(
        'review_confirmation_stale',
        'The steps changed after review was waived. Confirm the current steps again, or review the letters.',
        campaign.since,
      ),
  ].filter((each) => each !== false);
}

async function identities(context: ReadContext) {
  const rows = await allPages((cursor) => context.invoke(identityList, { limit: 200, cursor }));
  return {
    rows: rows.flatMap((identity) => {
      const failing = identity.active && identity.test_outcome === 'failing';
      const { trouble } = identity;
      const says =
        (trouble && `${trouble.says} ${trouble.fix}`) ??
        identity.inbound_trouble ??
        (identity.sent_trouble && `Copies of its letters can’t be saved. ${identity.sent_trouble}`) ??
        (failing
          ? 'The last test failed, so letters may not be sent.'
          : identity.active && identity.bounces.arrive === 'no'
            ? BOUNCES_LOST
            : null);
      if (says === null) return [];
      return [
        row({
          key: `identity:${identity.id}`,
          id: identity.id,
          title: identity.address,
          says: short(says, 240),
          since:
            trouble?.since ??
            identity.inbound_trouble_since ??
            identity.sent_trouble_since ??
            (failing ? identity.last_tested_at : identity.bounces.probed_at),
          place: `/settings/identities/${identity.id}`,
        }),
      ];
    }),
  };
}

const STOPPED: Record<string, string> = {
  guardrail_bounce: 'Stopped automatically: too many letters bounced.',
  guardrail_complaint: 'Stopped automatically: recipients complained.',
  guardrail_reply: 'Stopped automatically: too few people replied.',
  pool_empty: 'Stopped automatically: no identity in its pool can send.',
  ended: 'Stopped automatically: the end date has passed, and some letters haven’t been sent.',
};

async function stopped(context: ReadContext) {
  const found = (await campaignsStopped(context.db)).filter(
    ({ id }) => decide(context.caller.rights, 'outreach.campaign.read', [campaignName(id)]).allowed,
  );
  const rows = found.slice(0, SHOWN).map(({ id, name, paused_reason, since }) =>
    row({
      key: `campaign:${id}`,
      id,
      title: short(name),
      says: `${STOPPED[paused_reason] ?? 'Stopped automatically.'} Check the metrics, fix the cause and activate the campaign again.`,
      since: since.toISOString(),
      place: `/campaigns/${id}`,
    }),
  );
  return { rows, count: found.length };
}

const EVENTS_SHOWN = 5;

async function events(context: ReadContext) {
  const { items, next_cursor } = await context.invoke(eventsRecent, { state: 'failed', limit: EVENTS_SHOWN });
  const rows = items.map(({ id, event, occurred_at, last_status }) =>
    row({
      key: `event:${id}`,
      id,
      title: event,
      says: `Your receiver ${last_status === null ? 'didn’t respond' : `responded with ${last_status}`}. Dunnock won’t retry this event automatically.`,
      since: occurred_at,
      place: `/settings/integrations?state=failed&open=${id}`,
      act: { kind: 'event', closed: closedFor(context, 'admin.event.redeliver', ['admin:event']) },
    }),
  );
  return { rows, more: next_cursor !== null };
}

const MAILS_COUNTED = 50;

async function mail(context: ReadContext) {
  const { items, next_cursor } = await context.invoke(quarantineList, { limit: MAILS_COUNTED });
  const oldest = items.at(-1);
  if (!oldest) return { rows: [] };
  const count = `${next_cursor === null ? '' : 'More than '}${many(items.length, 'email')}`;
  return {
    rows: [
      row({
        key: 'mail',
        id: oldest.id,
        title: `${count} without a conversation`,
        says: 'No email was lost, but none has been processed. Assign each one to a conversation.',
        since: oldest.received_at,
        place: '/inbox/quarantine',
      }),
    ],
  };
}
