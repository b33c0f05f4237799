// A single letter outside any campaign. It is no way around one: it always waits in review, and meets the same gates, the
// same frequency and the same suppressions as every other (domain.md §4.3, side door 9).
import { type Caller } from '../../../kernel/caller.ts';
import { newId } from '../../../kernel/ids.ts';
import { denied } from '../../../kernel/denied.ts';
import { decide } from '../../../kernel/policy.ts';
import { conflict, invalid, notFound } from '../../../kernel/refusal.ts';
import { bind } from '../../../kernel/context.ts';
import { parseAddress } from '../../../mail/address.rules.ts';
import { loadPerson } from '../../crm/people/store.ts';
import { letterCreate } from './contract.ts';
import { insertOneOff } from './draft/draft.store.ts';
import { toSend } from './letter/row.ts';
import { sendRows } from './letter/send.store.ts';
import { told } from './handlers.ts';
import { ownAddress, recipientOf, senderOf, surroundingsOf, wordsFor } from './draft/source.store.ts';

export const writeLetter = bind(letterCreate, async (context, args) => {
  const { db, caller, now, app } = context;
  const person = await loadPerson(db, caller, 'crm.person.read', args.person_id, now);
  const recipient = await recipientOf(db, person.id);
  const to = args.to === undefined ? recipient?.to : await namedAddress(args.to);
  if (!recipient || !to)
    throw args.to === undefined
      ? conflict(`${person.name || 'this person'} has no address: add one first`)
      : invalid('to: must be one of this person’s addresses', {
          to: 'it isn’t one of this person’s addresses',
        });
  const sender = await senderOf(db, args.identity_id);
  if (!sender || !mayUse(caller, args.identity_id))
    throw notFound('identity', 'GET /api/admin/outreach/identities lists identities');
  if (!sender.active)
    throw conflict(
      `${sender.address} is not active: ask a person to activate it, or choose another identity`,
    );
  const id = newId();
  const around = surroundingsOf({ unsubscribe_mode: 'one_click', postal_address: null }, id, app);
  const written = { subject: args.subject, text: args.text, html: args.html ?? null };
  const { fault, subject, text, html, unresolved } = wordsFor(written, recipient, sender, around);
  if (fault !== null) throw invalid(`text: ${fault}`, { text: fault });
  const wished = args.scheduled_for === undefined ? now : new Date(args.scheduled_for);
  await insertOneOff(
    db,
    {
      id,
      person_id: person.id,
      sender,
      to,
      words: { subject, text, html, unresolved },
      scheduled_for: wished > now ? wished : now,
    },
    caller.principal,
    now,
  );
  const [row] = await sendRows(db, [id]);
  if (!row) throw new Error('a letter that was just written is gone');
  context.about(`outreach:send/${id}`);
  told(context, row);
  return { send: toSend(row, caller) };

  async function namedAddress(text: string) {
    const parsed = parseAddress(text);
    return parsed.ok ? ownAddress(db, person.id, parsed.address.normalised) : null;
  }
});

/** Whoever may not even read an identity does not write under its name. */
function mayUse(caller: Caller, id: string): boolean {
  const names = [`outreach:identity/${id}`];
  if (decide(caller.rights, 'outreach.identity.read', names).allowed) return true;
  throw denied(caller, 'outreach.identity.read', names[0]);
}
