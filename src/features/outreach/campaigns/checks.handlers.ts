// Handlers of what is looked at before letters leave: the checks of a start, and a letter as one person will get it.
import { after, DAY_MS } from '../../../kernel/clock.ts';
import type { Reader } from '../../../kernel/database.ts';
import { conflict, invalid, notFound } from '../../../kernel/refusal.ts';
import { bind, type ReadContext } from '../../../kernel/context.ts';
import type { RenderedLetter } from '../../../mail/letters/letter.ts';
import { renderLetter } from '../../../mail/letters/render.ts';
import { recipientZone } from '../../../mail/timing/zones.rules.ts';
import { INSTANCE_MAIL_DUE, queueMail } from '../../access/instance-mail/queue.store.ts';
import { mailIsSetUp } from '../../access/instance-mail/way.store.ts';
import { lockAccount } from '../../access/users/accounts.store.ts';
import { loadPerson } from '../../crm/people/store.ts';
import { pickIdentity } from '../sends/letter/review.rules.ts';
import type { SequenceStep } from '../sequences/contract.ts';
import { stepsOf } from '../sequences/store.ts';
import {
  campaignPreflight,
  campaignPreview,
  campaignPreviewDraft,
  campaignTestLetter,
} from './checks.contract.ts';
import { earliestAt, type PoolSender } from './hours.rules.ts';
import { letterPerson } from './checks/people.store.ts';
import { worstFirst } from './checks/check.rules.ts';
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
    passes: found.filter(({ ok }) => ok).length,
    checks: worstFirst(found),
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

const preview = bind(campaignPreview, async (context, { campaign: id, person, step: wanted }) => {
  const { db, caller } = context;
  const campaign = await loadCampaign(db, caller, 'outreach.campaign.read', id);
  const step = letterStep(await stepsOf(db, campaign.id), wanted);
  const { subject, text, html } = step;
  const shown = await asTheyGetIt(context, campaign, person, {
    subject: subject ?? '',
    text: text ?? '',
    html,
  });
  return { preview: { ...shown, step_id: step.id } };
});

const previewDraft = bind(campaignPreviewDraft, async (context, { campaign: id, person, ...letter }) => {
  const campaign = await loadCampaign(context.db, context.caller, 'outreach.sequence.write', id);
  return { preview: await asTheyGetIt(context, campaign, person, letter) };
});

const testLetter = bind(campaignTestLetter, async (context, { campaign: id, person, ...words }) => {
  const { db, caller, app, now, tell } = context;
  const campaign = await loadCampaign(db, caller, 'outreach.sequence.write', id);
  const { subject, text } = await asTheyGetIt(context, campaign, person, words);
  if (!(await mailIsSetUp(db)))
    throw conflict(
      'test letters need this instance’s outgoing mail: ask an administrator to set it up in Settings → Instance',
    );
  const user = caller.user_id ? await lockAccount(db, caller.user_id) : null;
  if (!user) throw new Error('the gate let a test letter through without a session');
  const mail = { kind: 'test', user_id: user.id, to: user.email } as const;
  const ends_at = after(now, DAY_MS);
  await queueMail(db, app.sealer, { ...mail, subject: `[Test] ${subject}`, text, ends_at }, now);
  tell(INSTANCE_MAIL_DUE, '');
  return { to: user.email };
});

/** Reads and acts alike. */
type Asked = Pick<ReadContext, 'caller' | 'now' | 'app'> & { db: Reader };

type Words = { subject: string; text: string; html: string | null };

async function asTheyGetIt(context: Asked, campaign: LoadedCampaign, named: string, words: Words) {
  const { db, caller, now } = context;
  const { id: person_id } = await loadPerson(db, caller, 'crm.person.read', named, now);
  const person = await letterPerson(db, person_id);
  if (!person) throw notFound('person', 'GET /api/admin/crm/people searches people');
  const sender = await senderFor(context, campaign, person_id);
  const zone = recipientZone({
    person: person.timezone,
    company: person.company_timezone,
    domain: person.to?.domain ?? null,
    campaign: campaign.timezone,
  });
  const letter = renderLetter(words, valuesOf(person, campaign, sender), {
    unsubscribe:
      campaign.unsubscribe_mode === 'one_click'
        ? { mode: 'one_click', url: `${context.app.instance.base_url}/u/preview` }
        : { mode: 'reply_only' },
    postal_address: await postalLines(db, campaign.postal_address_id),
    signature: { text: sender?.signature_text ?? '', html: sender?.signature_html ?? '' },
  });
  const { subject, text, html, unresolved, fields_used } = letter;
  return {
    campaign_id: campaign.id,
    person_id,
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
  };
}

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
  { db }: Pick<Asked, 'db'>,
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

export const checkHandlers = [checks, preview, previewDraft, testLetter];
