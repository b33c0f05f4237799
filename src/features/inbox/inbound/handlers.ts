// Handlers of the quarantine.
import { z } from 'zod';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { conflict, invalid } from '../../../kernel/refusal.ts';
import { type Bound, bind, bindAsking, type WriteContext } from '../../../kernel/context.ts';
import { id, time } from '../../../kernel/shapes.ts';
import { loadPerson } from '../../crm/people/store.ts';
import { threadFor } from '../threads/record/open.store.ts';
import { lockThread } from '../threads/store.ts';
import { writerOf } from './attribution/attribution.store.ts';
import { quarantineDismiss, quarantineList, quarantinePlace, quarantineRead } from './contract.ts';
import { answer } from './land/land.ts';
import { whichOf } from './quarantine-rules.handlers.ts';
import { holdQuarantined, loadQuarantined, quarantinedRows } from './quarantine/quarantine.store.ts';
import { readLetter } from './land/read.ts';
import { settleMail } from './store.ts';
import { domainOf, hashOf, shownOf } from './land/as-touch.ts';

const READ = 'outreach.inbound.read';
const WRITE = 'outreach.inbound.write';
/** Enough to see whose it is. */
const SHOWN_CHARS = 8_000;

const list = bind(quarantineList, async ({ db }, { limit, cursor, ...filter }) => {
  const after = keyIn(cursor, () => z.tuple([time, id]));
  const rows = await quarantinedRows(db, whichOf(filter), after, limit + 1);
  return pageOf(rows, limit, (row) => [row.received_at, row.id]);
});

const read = bind(quarantineRead, async ({ db, caller }, { mail, formatted }) => {
  const { stored, ...row } = await loadQuarantined(db, caller, READ, mail);
  const { text, html } = (await readLetter(stored.bytes, stored.cut)).mail;
  return {
    mail: row,
    text: text.slice(0, SHOWN_CHARS).toWellFormed(),
    truncated: text.length > SHOWN_CHARS,
    has_html: html !== null,
    html: formatted ? html : null,
  };
});

const place = bindAsking(
  quarantinePlace,
  async ({ db, caller }, { mail, thread_id, person_id }) => {
    if ((thread_id === undefined) === (person_id === undefined)) {
      const says = 'give either thread_id or person_id';
      throw invalid(says, { thread_id: says });
    }
    const found = await loadQuarantined(db, caller, WRITE, mail);
    // What broke the landing would break it again.
    if (found.state === 'broken')
      throw conflict(
        'this mail couldn’t be processed, so it can’t be added to a thread: answer it from a mail client, then dismiss it here',
      );
    return { stored: found.stored, letter: await readLetter(found.stored.bytes, found.stored.cut) };
  },
  async (context, { mail: mail_id, thread_id, person_id }, { stored, letter }) => {
    const { db, caller, now, emit } = context;
    context.about(`outreach:inbound/${mail_id}`);
    await holdQuarantined(db, mail_id);
    const { mail, from } = letter;
    const home = thread_id === undefined ? null : await threadGiven(context, thread_id);
    const person =
      person_id === undefined ? null : (await loadPerson(db, caller, 'crm.person.read', person_id, now)).id;
    const belongs = { channel: 'email', person_id: person, subject: mail.subject } as const;
    const into = home ?? (await threadFor(db, { ...belongs, identity_id: stored.identity_id }, now));
    const writer = from === null ? null : await writerOf(db, from);
    const landing = await answer(
      db,
      stored,
      mail,
      {
        thread_id: into,
        person_id: person,
        by: 'person',
        certainty: 'known',
        from,
        writer_id: writer?.person_id ?? null,
      },
      { emit, by: caller.principal, now },
    );
    if (landing === 'later' || !landing.landed.touch_id)
      throw conflict(
        'this mail can’t be added to that thread: the thread has no known person, or already contains this mail',
      );
    await settleMail(db, mail_id, { ...landing.landed, shown: shownOf(letter.mail) }, now);
    for (const { topic, id: told } of landing.landed.changes) context.tell(topic, told);
    context.tell('inbound', mail_id);
    return { thread_id: into, touch_id: landing.landed.touch_id };
  },
  'asks',
);

async function threadGiven({ db, caller }: WriteContext, thread_id: string): Promise<string> {
  const thread = await lockThread(db, caller, 'inbox.thread.write', thread_id);
  if (thread.kind === 'chat')
    throw conflict('mail can’t be added to a chat: give the thread of a conversation');
  return thread.id;
}

const dismiss = bind(quarantineDismiss, async (context, { mail }) => {
  const { db, caller, now } = context;
  const { from, list, subject } = await loadQuarantined(db, caller, WRITE, mail);
  context.about(`outreach:inbound/${mail}`);
  await holdQuarantined(db, mail);
  const shown = {
    from_address: from.address,
    from_name: from.name,
    from_hash: hashOf(from.address),
    from_domain: domainOf(from.address),
    list_id: list,
    subject,
  };
  await settleMail(db, mail, { state: 'ignored', note: 'Dismissed by hand.', shown }, now);
  context.tell('inbound', mail);
  return { id: mail };
});

export const quarantineHandlers: Bound[] = [list, read, place, dismiss];
