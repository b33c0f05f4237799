// What is broken, for the digest of the instance: domains, identities and their mailboxes, paused campaigns, events no one took,
// vendors that report nothing, mail that found no place.
import { decide } from '../../../../kernel/policy.ts';
import type { ReadContext } from '../../../../kernel/context.ts';
import { campaignName } from '../../../outreach/campaigns/rules.ts';
import { domainList } from '../../../outreach/domains/contract.ts';
import { eventsRecent } from '../../events/deliveries.contract.ts';
import { identityList } from '../../../outreach/identities/contract.ts';
import { quarantineList } from '../../../inbox/inbound/contract.ts';
import { vendorRead } from '../../../outreach/vendors/contract.ts';
import { pausedCampaigns, vendorsInUse } from '../outreach/letters.store.ts';
import { allPages, FIRST_LINES, fewOf, fewOfAll, section, short, shortOrNull } from '../section.ts';

/** Failing ones of these keep letters from arriving; the others only tell against a domain. */
const AUTHENTICATES = ['spf', 'dkim', 'dmarc'];

export async function brokenOf(context: ReadContext) {
  return {
    domains: await section(context, 'outreach.domain.read', null, () => domainsOf(context)),
    identities: await section(context, 'outreach.identity.read', null, () => identitiesOf(context)),
    campaigns: await section(context, 'outreach.campaign.read', null, async () => {
      const { rights } = context.caller;
      const paused = (await pausedCampaigns(context.db)).filter(
        ({ id }) => decide(rights, 'outreach.campaign.read', [campaignName(id)]).allowed,
      );
      const line = ({ id, name, paused_reason }: (typeof paused)[number]) => ({
        campaign_id: id,
        name: short(name),
        paused_reason,
      });
      return fewOf(paused, line, { max: FIRST_LINES });
    }),
    events: await section(context, 'admin.event.read', null, () =>
      fewOfAll(
        (cursor) => context.invoke(eventsRecent, { state: 'failed', limit: 200, cursor }),
        (row) => ({
          delivery_id: row.id,
          event: row.event,
          occurred_at: row.occurred_at,
          last_status: row.last_status,
          last_error: row.last_error,
        }),
        FIRST_LINES,
      ),
    ),
    vendors: await section(context, 'outreach.vendor.read', null, () => vendorsOf(context)),
    quarantine: await section(context, 'outreach.inbound.read', null, () =>
      fewOfAll(
        (cursor) => context.invoke(quarantineList, { limit: 200, cursor }),
        (row) => ({
          mail_id: row.id,
          why: shortOrNull(row.note, 200),
          received_at: row.received_at,
        }),
        FIRST_LINES,
      ),
    ),
  };
}

async function domainsOf(context: ReadContext) {
  const rows = await allPages((cursor) => context.invoke(domainList, { limit: 200, cursor }));
  const lines = rows
    .filter(({ state }) => state !== 'retired')
    .map((row) => ({
      domain_id: row.id,
      domain: row.name,
      state: row.state,
      paused_by: row.paused_by,
      reason: shortOrNull(row.paused_reason ?? row.warned, 200),
      failing: AUTHENTICATES.filter((name) => row.auth[name]?.outcome === 'failing'),
    }))
    .filter(({ state, reason, failing }) => state === 'paused' || reason !== null || failing.length > 0);
  return fewOf(lines, (line) => line, { max: FIRST_LINES });
}

async function identitiesOf(context: ReadContext) {
  const rows = await allPages((cursor) => context.invoke(identityList, { limit: 200, cursor }));
  const troubled = rows.filter(
    ({ trouble, inbound_trouble, sent_trouble, active, test_outcome }) =>
      trouble !== null ||
      inbound_trouble !== null ||
      sent_trouble !== null ||
      (active && test_outcome === 'failing'),
  );
  const line = (row: (typeof troubled)[number]) => ({
    identity_id: row.id,
    address: row.address,
    trouble: row.trouble?.kind ?? null,
    says: row.trouble?.says ?? null,
    mailbox: shortOrNull(row.inbound_trouble ?? row.sent_trouble, 200),
    since: row.trouble?.since ?? row.inbound_trouble_since ?? row.sent_trouble_since,
    test: row.test_outcome,
  });
  return fewOf(troubled, line, { max: FIRST_LINES });
}

/** A vendor that letters leave by is in trouble without a key, and blind where it reports nothing. */
async function vendorsOf(context: ReadContext) {
  const { vendors } = await context.invoke(vendorRead, {});
  const used = await vendorsInUse(context.db);
  const lines = used.flatMap(({ provider, identities }) => {
    const known = vendors.find((vendor) => vendor.provider === provider);
    const line = {
      provider,
      used_by: identities,
      key_set: known?.key_set ?? false,
      reports: (known?.webhook ?? null) !== null,
    };
    return line.key_set && line.reports ? [] : [line];
  });
  return fewOf(lines, (line) => line);
}
