// Letters of a made-up desk that went, their conversations, and what was written back.
import { MINUTE_MS, after } from '../../../kernel/clock.ts';
import { fingerprintOf } from '../../outreach/sends/letter/fingerprint.ts';
import { wordsOf } from '../../inbox/threads/record/touch.store.ts';
import { by, Json, type Plan } from './plan.ts';
import type { Metric } from './plan.people.ts';
import { ANSWERS, OURS, SIGNATURE, type StepWords } from './words.rules.ts';

export type SampleSender = {
  id: string;
  name: string;
  address: string;
  domain: string;
  domain_id: string;
  postal_address_id: string;
  /** `scope id day` to letters; written once, when all campaigns are there. */
  started: Map<string, number>;
};

export type Went = { subject: string; message_id: string; references: string[] };

type Letter = {
  step: StepWords & { id: string; position: number };
  at: Date;
  person: Metric;
  sender: SampleSender;
  campaign_id: string;
  prospect_id: string;
  thread_id: string;
  bounced: boolean;
  before: Went | undefined;
};

const SEQUENCE = { kind: 'system', id: 'prospects', name: 'the sequence' } as const;

const filled = (text: string, person: Metric): string =>
  text.replaceAll('{{ person.given }}', person.given).replaceAll('{{ company.name }}', person.company);

export function planLetter(plan: Plan, letter: Letter): Went {
  const { step, at, person, sender, campaign_id, prospect_id, thread_id, bounced, before } = letter;
  const { chance, wishes } = plan;
  const id = chance.id(at);
  const message_id = `<${chance.id(at)}@${sender.domain}>`;
  const subject = before ? `Re: ${before.subject.replace(/^Re: /, '')}` : filled(step.subject ?? '', person);
  const text = `${filled(step.text, person)}\n\n${SIGNATURE}`;
  const references = before ? [...before.references, before.message_id] : [];
  const from = { name: sender.name, address: sender.address };
  const fingerprint = fingerprintOf({
    from: { ...from, reply_to: null },
    to_address: person.address,
    cc: [],
    subject,
    text,
    html: null,
    attachments: [],
  });
  if (!before) planThread(plan, letter, subject);
  plan.add('sends', {
    id,
    kind: 'sequence',
    campaign_id,
    prospect_id,
    person_id: person.id,
    step_id: step.id,
    identity_id: sender.id,
    thread_id,
    state: 'sent',
    subject,
    text,
    to_address: person.address,
    to_hash: person.hash,
    same_thread: step.position > 0,
    message_id,
    in_reply_to: before?.message_id ?? null,
    message_references: references,
    fingerprint,
    sequence_revision: 1,
    ...by('approved_by', wishes.by),
    approved_at: after(at, -30 * MINUTE_MS),
    approved_fingerprint: fingerprint,
    scheduled_for: at,
    delivery: bounced ? 'hard' : 'accepted',
    delivery_at: at,
    attempts: 1,
    first_attempt_at: at,
    sending_at: at,
    sent_at: at,
    ...by('created_by', SEQUENCE),
    created_at: after(at, -60 * MINUTE_MS),
    updated_at: at,
  });
  const event = (kind: string, source: string, when: Date, status: string): void =>
    plan.add('send_outcomes', {
      id: chance.id(when),
      key: `sample:${id}:${kind}`,
      send_id: id,
      identity_id: sender.id,
      domain_id: sender.domain_id,
      kind,
      source,
      placed_by: 'id',
      status,
      recipient_hash: person.hash,
      at: when,
      received_at: when,
    });
  event('accepted', 'session', at, '2.0.0');
  if (bounced) {
    const when = after(at, MINUTE_MS);
    event('hard', 'report', when, '5.1.1');
    suppress(plan, person, 'hard_bounce', campaign_id, when);
  }
  touch(plan, letter.thread_id, {
    direction: 'out',
    at,
    from,
    to: person.address,
    subject,
    text,
    message_id,
    in_reply_to: before?.message_id ?? null,
    person,
    sender,
    campaign_id,
    send_id: id,
    reading: null,
  });
  return { subject, message_id, references };
}

function planThread(
  plan: Plan,
  { at, person, sender, campaign_id, prospect_id, thread_id }: Letter,
  subject: string,
): void {
  plan.add('threads', {
    id: thread_id,
    channel: 'email',
    kind: 'conversation',
    subject,
    person_id: person.id,
    prospect_id,
    campaign_id,
    identity_id: sender.id,
    last_touch_at: at,
    created_at: at,
    updated_at: at,
  });
}

type Reply = {
  at: Date;
  person: Metric;
  sender: SampleSender;
  campaign_id: string;
  thread_id: string;
  letter: Went | undefined;
  read: keyof typeof ANSWERS;
};

const ANSWERED = 0.65;

export function planReply(
  plan: Plan,
  { at, person, sender, campaign_id, thread_id, letter, read }: Reply,
): void {
  const { chance, wishes } = plan;
  const message_id = `<${chance.id(at)}@${person.address.split('@')[1]}>`;
  const subject = `Re: ${(letter?.subject ?? '').replace(/^Re: /, '')}`;
  const said = { subject, person, sender, campaign_id };
  touch(plan, thread_id, {
    ...said,
    direction: 'in',
    at,
    from: { name: person.name, address: person.address },
    to: sender.address,
    text: `${chance.pick(ANSWERS[read])}\n\n${person.given}`,
    message_id,
    in_reply_to: letter?.message_id ?? null,
    send_id: null,
    reading: read,
  });
  if (read === 'unsubscribe') suppress(plan, person, 'unsubscribe', campaign_id, at);
  const ours = after(at, (20 + chance.below(300)) * MINUTE_MS);
  const answers = read in OURS ? OURS[read as keyof typeof OURS] : null;
  if (!answers || ours >= wishes.now || chance.next() > ANSWERED) return;
  touch(plan, thread_id, {
    ...said,
    direction: 'out',
    at: ours,
    from: { name: sender.name, address: sender.address },
    to: person.address,
    text: `${chance.pick<string>(answers)}\n\n${SIGNATURE}`,
    message_id: `<${chance.id(ours)}@${sender.domain}>`,
    in_reply_to: message_id,
    send_id: null,
    reading: null,
  });
}

type Said = {
  direction: 'in' | 'out';
  at: Date;
  from: { name: string; address: string };
  to: string;
  subject: string;
  text: string;
  message_id: string;
  in_reply_to: string | null;
  person: Metric;
  sender: SampleSender;
  campaign_id: string;
  send_id: string | null;
  reading: keyof typeof ANSWERS | null;
};

function touch(plan: Plan, thread_id: string, said: Said): void {
  const { at, from, to, subject, text, reading } = said;
  plan.add('touches', {
    id: plan.chance.id(at),
    thread_id,
    direction: said.direction,
    channel: 'email',
    at,
    from_address: from.address,
    from_name: from.name,
    to_addresses: [to],
    subject,
    text,
    text_stripped: text,
    message_id: said.message_id,
    in_reply_to: said.in_reply_to,
    attributed_by: said.direction === 'in' ? 'in_reply_to' : null,
    automatic: reading === 'out_of_office',
    reading,
    reading_by: reading === null ? null : 'rule',
    confidence: reading === null ? null : 0.9,
    details: new Json({}),
    person_id: said.person.id,
    campaign_id: said.campaign_id,
    identity_id: said.sender.id,
    send_id: said.send_id,
    created_at: at,
    words: wordsOf({
      subject,
      text_stripped: text,
      from_name: from.name,
      from_address: from.address,
      to_addresses: [to],
    }),
  });
}

function suppress(plan: Plan, person: Metric, reason: string, campaign_id: string, at: Date): void {
  plan.add('suppressions', {
    id: plan.chance.id(at),
    kind: 'address',
    value: person.address,
    value_hash: person.hash,
    reason,
    source: reason === 'unsubscribe' ? 'touch' : 'send',
    campaign_id,
    ...by('created_by', SEQUENCE),
    created_at: at,
  });
}
