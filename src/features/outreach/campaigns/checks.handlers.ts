// Handlers of what is looked at before letters leave: the checks of a start, and a letter as one person will get it.
import { invalid, notFound } from '../../../kernel/refusal.ts';
import { bind, type ReadContext } from '../../../kernel/context.ts';
import type { RenderedLetter } from '../../../mail/letters/letter.ts';
import { renderLetter } from '../../../mail/letters/render.ts';
import { recipientZone } from '../../../mail/timing/zones.rules.ts';
import { loadPerson } from '../../crm/people/store.ts';
import { pickIdentity } from '../sends/letter/review.rules.ts';
import type { SequenceStep } from '../sequences/contract.ts';
import { stepsOf } from '../sequences/store.ts';
import { campaignPreflight, campaignPreview } from './checks.contract.ts';
import { earliestAt, type PoolSender } from './hours.rules.ts';
import { letterPerson } from './checks/people.store.ts';
import { preflight, valuesOf } from './checks/preflight.ts';
import { enrolledAs, postalLines, sendersOf } from './checks/senders.store.ts';
import { seenOfCampaign } from './checks/seen.store.ts';
import { loadCampaign, type LoadedCampaign } from './store.ts';

const checks = bind(campaignPreflight, async ({ db, caller, now, app }, { campaign: id }) => {
  const campaign = await loadCampaign(db, caller, 'outreach.campaign.read', id);
  const found = await preflight(db, campaign, now, app);
  const steps = await stepsOf(db, campaign.id);
  return {
    seen: await seenOfCampaign(db, campaign),
    ok: found.every(({ ok, required }) => ok !== false || !required),
    checks: found,
    letters: steps
      .filter(({ kind }) => kind === 'letter')
      .map(({ id: step_id, position, subject, text }) => ({
        step_id,
        position,
        subject: subject ?? '',
        text: text ?? '',
      })),
    senders: (await sendersOf(db, campaign.id)).map(({ identity_id, name, address }) => ({
      identity_id,
      name,
      address,
    })),
  };
});

const preview = bind(campaignPreview, async (context, { campaign: id, person: named, step: wanted }) => {
  const { db, caller, now } = context;
  const campaign = await loadCampaign(db, caller, 'outreach.campaign.read', id);
  const { id: person_id } = await loadPerson(db, caller, 'crm.person.read', named, now);
  const person = await letterPerson(db, person_id);
  if (!person) throw notFound('person', 'GET /api/admin/crm/people searches people');
  const step = letterStep(await stepsOf(db, campaign.id), wanted);
  const sender = await senderFor(context, campaign, person_id);
  const zone = recipientZone({
    person: person.timezone,
    company: person.company_timezone,
    domain: person.to?.domain ?? null,
    campaign: campaign.timezone,
  });
  const letter = renderLetter(
    { subject: step.subject ?? '', text: step.text ?? '', html: step.html },
    valuesOf(person, campaign, sender),
    {
      unsubscribe:
        campaign.unsubscribe_mode === 'one_click'
          ? { mode: 'one_click', url: `${context.app.instance.base_url}/u/preview` }
          : { mode: 'reply_only' },
      postal_address: await postalLines(db, campaign.postal_address_id),
      signature: { text: sender?.signature_text ?? '', html: sender?.signature_html ?? '' },
    },
  );
  const { subject, text, html, unresolved, fields_used } = letter;
  return {
    preview: {
      campaign_id: campaign.id,
      person_id,
      step_id: step.id,
      identity: sender && { id: sender.identity_id, name: sender.name, address: sender.address },
      to: person.to?.address ?? null,
      subject,
      text,
      html,
      unresolved,
      fields_used,
      faults: faultsIn(letter, { sender, hasAddress: person.to !== null }),
      earliest_at: earliestAt(campaign, sender, zone.timezone, now)?.toISOString() ?? null,
      timezone: zone.timezone,
      timezone_from: zone.rung,
    },
  };
});

function letterStep(steps: readonly SequenceStep[], wanted: string | undefined): SequenceStep {
  const step = steps.find(({ id, kind }) => kind === 'letter' && (wanted === undefined || id === wanted));
  if (step) return step;
  if (wanted === undefined)
    throw invalid('this campaign has no letter step yet: add one to its sequence', {
      campaign: 'campaign: no letter',
    });
  throw notFound(
    'letter step of this campaign',
    'GET /api/admin/outreach/campaigns/:campaign/sequence lists its steps',
  );
}

/** Whoever wrote to them already; else whom drafting their letter would choose. */
async function senderFor(
  { db }: ReadContext,
  campaign: LoadedCampaign,
  person_id: string,
): Promise<PoolSender | null> {
  const enrolled = await enrolledAs(db, campaign.id, person_id);
  if (enrolled?.sender) return enrolled.sender;
  const pool = (await sendersOf(db, campaign.id)).filter(({ active }) => active);
  const chosen = pickIdentity(pool, enrolled?.prospect_id ?? person_id);
  return pool.find(({ identity_id }) => identity_id === chosen) ?? null;
}

function faultsIn(
  { fault, unsafe_header, has_unsubscribe, text }: RenderedLetter,
  { sender, hasAddress }: { sender: PoolSender | null; hasAddress: boolean },
): string[] {
  return [
    ...(fault === null ? [] : [`The letter cannot be made: ${fault}.`]),
    ...(fault === null && text === '' ? ['The letter has no words.'] : []),
    ...(unsafe_header ? ['A value brings a line break or a control character into the subject.'] : []),
    ...(has_unsubscribe || text === '' ? [] : ['The letter has no unsubscribe link.']),
    ...(sender ? [] : ['No identity in the pool is active.']),
    ...(hasAddress ? [] : ['This person has no address.']),
  ];
}

export const checkHandlers = [checks, preview];
