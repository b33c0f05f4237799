// The digest of sending: what is against each domain, and when the next letter of each identity goes, or why none does.
import { bind, type ReadContext } from '../../../../kernel/context.ts';
import type { Instance } from '../../../../kernel/app.ts';
import { screenUrl } from '../../../../kernel/links.rules.ts';
import { decide } from '../../../../kernel/policy.ts';
import {
  domainCheck,
  domainEvidence,
  domainRecords,
  domainResume,
} from '../../../outreach/domains/acts.contract.ts';
import { identityActivate, identityTest } from '../../../outreach/identities/acts.contract.ts';
import { type Domain, domainList, domainRead } from '../../../outreach/domains/contract.ts';
import {
  type Identity,
  identityList,
  identityName,
  identityRead,
} from '../../../outreach/identities/contract.ts';
import type { DeliveryReason } from '../../../outreach/deliveries/report.contract.ts';
import { reasonsOf } from '../../../outreach/deliveries/report.store.ts';
import { waitText } from '../../../outreach/sends/letter/reasons.rules.ts';
import { readable } from '../../../outreach/sends/letter/send.store.ts';
import type { Proposal } from '../next.ts';
import { type NextLetter, nextLetters } from './letters.store.ts';
import { notTaken } from './not-taken.ts';
import { reasonOfNext, turnOfNext } from './next.rules.ts';
import { sendingDigest } from '../outreach.contract.ts';
import { allPages, fewOf, framed, isShown, LINES_MAX, section, shortOrNull, within } from '../section.ts';
import { limitsOf } from './thresholds.rules.ts';

/** Whoever wants to see another names its domain. */
const IDENTITIES_SHOWN = 12;

export const sending = bind(sendingDigest, async (context, { domain, identity }) => {
  const identities = await section(context, 'outreach.identity.read', null, async () => {
    const rows = await identitiesOf(context, domain, identity);
    // Who sends is shown before who does not.
    const sorted = rows.sort((a, b) => Number(b.active) - Number(a.active));
    const letters = await nextLetters(
      context.db,
      context.caller,
      sorted.slice(0, IDENTITIES_SHOWN).map(({ id }) => id),
      context.now,
    );
    const next = new Map(letters.map((each) => [each.identity_id, each]));
    return fewOf(sorted, (row) => identityLine(row, next.get(row.id), context.now), {
      max: IDENTITIES_SHOWN,
    });
  });
  const wanted =
    domain ??
    (identity === undefined || !isShown(identities)
      ? undefined
      : (await context.invoke(identityRead, { identity })).identity.domain_id);
  const domains = await section(context, 'outreach.domain.read', null, async () => {
    const rows = await domainsOf(context, wanted);
    const sorted = rows.sort((a, b) => troubleOf(b) - troubleOf(a));
    const shown = sorted.slice(0, LINES_MAX);
    const since = shown.map(({ id, rates }) => ({ id, since: new Date(rates.window.start) }));
    const reasons = await reasonsOf(
      context.db,
      since,
      readable(context.db, context.caller, 'outreach.send.read'),
    );
    return fewOf(sorted, (row) =>
      domainLine(row, reasons.get(row.id) ?? [], sorted.indexOf(row) < LIMITS_SHOWN),
    );
  });
  const { instance } = context.app;
  const next = [
    ...within(domains, ({ lines }) => lines, []).flatMap((line) => nextOfDomain(line, instance)),
    ...within(identities, ({ lines }) => lines, []).flatMap((line) => nextOfIdentity(line, instance)),
  ];
  return framed(context, { domains, identities }, next.slice(0, LINES_MAX));
});

async function domainsOf(context: ReadContext, wanted: string | undefined): Promise<Domain[]> {
  if (wanted !== undefined) return [(await context.invoke(domainRead, { domain: wanted })).domain];
  const rows = await allPages((cursor) => context.invoke(domainList, { limit: 200, cursor }));
  return rows.filter(({ state }) => state !== 'retired');
}

async function identitiesOf(
  context: ReadContext,
  domain: string | undefined,
  identity: string | undefined,
): Promise<Identity[]> {
  if (identity !== undefined) return [(await context.invoke(identityRead, { identity })).identity];
  const rows = await allPages((cursor) => context.invoke(identityList, { limit: 200, domain, cursor }));
  const { rights } = context.caller;
  return rows.filter(({ id }) => decide(rights, 'outreach.identity.read', [identityName(id)]).allowed);
}

const failingOf = ({ auth }: Domain): string[] =>
  Object.entries(auth).flatMap(([name, found]) => (found?.outcome === 'failing' ? [name] : []));

/** What is paused first, then what fails, then what is warned. */
const troubleOf = (row: Domain): number =>
  Number(row.state === 'paused') * 4 +
  Number(failingOf(row).some((name) => name !== 'mx' && name !== 'ptr')) * 2 +
  Number(row.warned !== null);

/** The limits of so many domains are in full; of further ones those against which there is anything. */
const LIMITS_SHOWN = 2;

const domainLine = (row: Domain, reasons: readonly DeliveryReason[], inFull: boolean) => ({
  domain_id: row.id,
  domain: row.name,
  state: row.state,
  paused_by: row.paused_by,
  paused_reason: shortOrNull(row.paused_reason, 200),
  warned: row.warned,
  auth: Object.fromEntries(
    Object.entries(row.auth).map(([name, found]) => [name, found?.outcome ?? ('unknown' as const)]),
  ),
  checked_at: row.checked_at,
  letters_7_days: row.rates.sent,
  warden: limitsOf(row).filter(({ count }) => inFull || count > 0),
  not_taken: notTaken(reasons),
  allowance_today: row.allowance_today,
  left_today: Math.max(row.allowance_today - row.sent_today, 0),
});

function identityLine(row: Identity, letters: NextLetter | undefined, now: Date) {
  const left_today = Math.max(row.allowance_today - row.sent_today, 0);
  const { at, why } = nextOf(row, letters, now);
  return {
    identity_id: row.id,
    address: row.address,
    domain: row.domain,
    active: row.active,
    state_reason: row.state_reason,
    ramp: row.ramp,
    allowance_today: row.allowance_today,
    left_today,
    scheduled: letters?.scheduled ?? 0,
    next_at: at?.toISOString() ?? null,
    why_none: why,
    trouble: row.trouble && {
      kind: row.trouble.kind,
      says: row.trouble.says,
      fix: row.trouble.fix,
      since: row.trouble.since,
      server_said: shortOrNull(row.trouble.words, 200),
    },
    bounces_arrive: row.bounces.arrive,
    copies_filed_by: row.sent_filed_by,
    mailbox_trouble: shortOrNull(row.inbound_trouble ?? row.sent_trouble, 200),
  };
}

/** When the next letter goes at the earliest, and what keeps it until then; why none goes where none does. */
function nextOf(
  row: Identity,
  letters: NextLetter | undefined,
  now: Date,
): { at: Date | null; why: string | null } {
  if (row.trouble) return { at: null, why: row.trouble.says };
  if (!row.active) return { at: null, why: 'The identity is not active.' };
  if (row.domain_state !== 'active') return { at: null, why: `Its domain is ${row.domain_state}.` };
  if (!letters?.due_at) return { at: null, why: 'It has no scheduled letters.' };
  const gates = [letters.due_at, letters.asleep_until, letters.down_until, now];
  const at = new Date(Math.max(...gates.map((gate) => gate?.getTime() ?? 0)));
  const waits = reasonOfNext(letters, now);
  // What is due and has not left waits for something, whatever it is.
  if (at <= now) return { at, why: turnOfNext(letters, now)?.says ?? null };
  return { at, why: waits && waitText(waits, { cause: letters.down_cause }).says };
}

function nextOfDomain(
  { domain_id, state, auth }: ReturnType<typeof domainLine>,
  instance: Instance,
): Proposal[] {
  const at = screenUrl(instance, 'domain', domain_id);
  const domain = { domain: domain_id };
  if (state === 'paused')
    return [
      { what: 'Read the evidence for the pause.', does: domainEvidence, with: domain, open_at: at },
      {
        what: 'Resume the domain once the cause is fixed.',
        does: domainResume,
        with: domain,
        open_at: at,
        sign_at: at,
      },
    ];
  const outcomes = Object.values(auth);
  return [
    ...(outcomes.includes('failing')
      ? [
          {
            what: 'Read the DNS records that the domain needs.',
            does: domainRecords,
            with: domain,
            open_at: at,
          },
        ]
      : []),
    ...(outcomes.includes('unknown') || outcomes.includes('failing')
      ? [{ what: 'Check the domain again.', does: domainCheck, with: domain, open_at: at }]
      : []),
  ];
}

function nextOfIdentity(
  { identity_id, active, scheduled, trouble }: ReturnType<typeof identityLine>,
  instance: Instance,
): Proposal[] {
  const at = screenUrl(instance, 'identity', identity_id);
  const identity = { identity: identity_id };
  if (trouble) return [{ what: trouble.fix, does: identityTest, with: identity, open_at: at }];
  return !active && scheduled > 0
    ? [
        {
          what: 'Activate the identity. Its scheduled letters are waiting for that.',
          does: identityActivate,
          with: identity,
          open_at: at,
          sign_at: at,
        },
      ]
    : [];
}
