// Handlers that find, read, edit and write letters: load, rule, save, say.
import { z } from 'zod';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { notThere, changedSince, conflict, invalid } from '../../../kernel/refusal.ts';
import { bind, type Bound, type WriteContext } from '../../../kernel/context.ts';
import { id, time } from '../../../kernel/shapes.ts';
import { type AddressWhy, ADDRESS_SAYS, parseAddress } from '../../../mail/address.rules.ts';
import { reportsOf } from '../deliveries/report.store.ts';
import { letterDraft, sendList, sendRead, sendUpdate } from './contract.ts';
import { fingerprintOf } from './letter/fingerprint.ts';
import { whyNot } from './letter/outlook.ts';
import { type SendRow, toSend } from './letter/row.ts';
import { act, demandPossible, type LetterHand, historyOf, type Words } from './letter/save.store.ts';
import {
  letterOfStep,
  type LoadedSend,
  loadSend,
  lockSend,
  noSend,
  searchSends,
} from './letter/send.store.ts';
import {
  attachmentsOf,
  ownAddress,
  pairKey,
  senderOf,
  sourcesOf,
  surroundingsOf,
  templateOf,
  wordsFor,
} from './draft/source.store.ts';

const list = bind(sendList, async ({ db, caller }, { limit, cursor, ...filter }) => {
  const after = keyIn(cursor, () => z.tuple([time, id]));
  const found = await searchSends(db, caller, { ...filter, after, count: limit + 1 });
  const rows = found.map((row) => toSend(row, caller));
  return pageOf(rows, limit, (send) => [send.created_at, send.id]);
});

const read = bind(sendRead, async ({ db, caller, now, app }, { send }) => {
  const row = await loadSend(db, caller, 'outreach.send.read', send);
  const outlook = await whyNot(db, row.id, now, app);
  if (!outlook) throw noSend();
  const template = row.step_id === null ? null : await templateOf(db, row.step_id);
  const reports = await reportsOf(db, row.id);
  return { send: toSend(row, caller), outlook, template, reports, ...(await historyOf(db, row.id)) };
});

const update = bind(sendUpdate, async (context, { send, revision, to, reason, ...given }) => {
  const row = await lockSend(context.db, context.caller, 'outreach.send.write', send);
  if (row.kind === 'answer')
    throw conflict('edit an answer in its thread: PATCH /api/threads/:id/answers/:answer');
  if (row.revision !== revision) throw changedSince('this letter', row.revision);
  const address = to === undefined ? null : await addressOf(context, row, to);
  const said: Words = {
    ...(given.subject !== undefined && { subject: given.subject.trim() }),
    ...(given.text !== undefined && { text: given.text, html: null }),
    ...(given.html !== undefined && { html: given.html }),
    ...(address && { to_address: address.address, to_hash: address.hash }),
    ...((given.subject ?? given.text) !== undefined && { unresolved: [] }),
  };
  const changes = Object.keys(said).length > 0;
  const words = changes
    ? { ...said, rewritten: { by: context.caller.principal, reason: reason ?? null } }
    : said;
  return { send: toSend(await change(context, row, words, 'edited'), context.caller) };
});

const rewrite = bind(letterDraft, async (context, { campaign, person_id, step, subject, text, reason }) => {
  const { db, caller, app } = context;
  const found = await letterOfStep(db, campaign, person_id, step);
  const row = found === null ? null : await lockSend(db, caller, 'outreach.letter.write', found);
  if (!row?.prospect_id || !row.step_id || row.identity_id === null)
    throw notThere('this step has no letter for this person yet: one is drafted when the step is due');
  if (row.state !== 'drafted' && row.state !== 'review')
    throw conflict(
      'only a letter that is drafted or in review can be rewritten: a person can edit an approved one',
      {
        state: row.state,
      },
    );
  const pair = { prospect_id: row.prospect_id, step_id: row.step_id };
  const source = (await sourcesOf(db, [pair])).get(pairKey(pair));
  const sender = await senderOf(db, row.identity_id);
  if (!source || !sender) throw conflict('this letter’s person or sender was deleted: cancel the letter');
  const written = { subject: subject ?? row.subject, text, html: null };
  const {
    fault,
    fields_used: _,
    ...made
  } = wordsFor(written, source, sender, surroundingsOf(source, row.id, app));
  if (fault !== null) throw invalid(`text: ${fault}`, { text: fault });
  const words = { ...made, rewritten: { by: caller.principal, reason } };
  return { send: toSend(await change(context, row, words, 'rewritten'), caller) };
});

/** It says something else now: a new fingerprint, no approval, and someone reads it. */
async function change(
  context: WriteContext,
  row: LoadedSend,
  words: Words,
  why: 'edited' | 'rewritten',
): Promise<SendRow> {
  const { db } = context;
  const from = row.identity_id === null ? null : await senderOf(db, row.identity_id);
  const attachments = await attachmentsOf(db, row.id);
  const fingerprint = fingerprintOf({ ...row, ...words, from, attachments });
  const done = { kind: 'change', fingerprint, review_reason: why } as const;
  demandPossible(row, done, context.now);
  const details = {
    before: { subject: row.subject, text: row.text },
    reason: words.rewritten?.reason ?? null,
  };
  const saved = await act(db, row, done, { kind: why, details }, handOf(context), words);
  context.about(`outreach:send/${row.id}`);
  told(context, saved);
  return saved;
}

async function addressOf(context: WriteContext, row: LoadedSend, to: string) {
  const parsed = parseAddress(to);
  if (!parsed.ok) throw invalid(`to: ${inSentence(parsed.why)}`, { to: inSentence(parsed.why) });
  const own =
    row.person_id === null ? null : await ownAddress(context.db, row.person_id, parsed.address.normalised);
  const says = "it is none of this person's addresses: add it to the person first";
  if (!own) throw invalid(`to: ${says}`, { to: says });
  return own;
}

const inSentence = (why: AddressWhy): string => ADDRESS_SAYS[why].replace(/\.$/, '');

export const handOf = ({ caller, now, emit }: WriteContext): LetterHand => ({
  by: caller.principal,
  now,
  emit,
});

/** A letter counts in its campaign's numbers and shows at its prospect. */
export function told(context: WriteContext, row: SendRow): void {
  context.tell('sends', row.id);
  if (row.campaign_id !== null) context.tell('campaigns', row.campaign_id);
}

export const letterHandlers: Bound[] = [list, read, update, rewrite];
