// Mail that answers nothing of ours, from no one we know: kept, shown, and put where it belongs by hand (domain.md §6.3).
import { z } from 'zod';
import { OK, operation } from '../../../kernel/operation.ts';
import { id, listOf, page, time } from '../../../kernel/shapes.ts';
import { quarantineFilter } from './quarantine-rules.contract.ts';

const quarantined = z.object({
  id,
  /** `broken`: it could not be landed, however often it was tried. */
  state: z.enum(['quarantined', 'broken']),
  /** Why it waits, in our words. */
  note: z.string().nullable(),
  identity_id: id.nullable(),
  folder: z.enum(['inbox', 'sent', 'junk']),
  /** As the mail says itself: no one's word for who wrote it. */
  from: z.object({ address: z.string().nullable(), name: z.string().nullable() }),
  /** The List-Id of the mailing list that it came by. */
  list: z.string().nullable(),
  subject: z.string(),
  size: z.int(),
  received_at: time,
});
export type Quarantined = z.infer<typeof quarantined>;

const QUARANTINE = '/api/admin/outreach/quarantine';
const example = '0198c0de-0000-7000-8000-000000000081';
const reads = { effect: 'read', who: 'anyone', step_up: 'no', wire: 'never', answers: OK } as const;
const acts = { effect: 'write', who: 'anyone', step_up: 'no', wire: 'never', answers: OK } as const;
const mayRead = { action: 'outreach.inbound.read', on: () => ['outreach:inbound'] };
const mayPlace = { action: 'outreach.inbound.write', on: () => ['outreach:inbound'] };

export const quarantineList = operation({
  ...reads,
  name: 'quarantine_list',
  says: 'Lists mail that came in and that no letter, thread or person was found for, newest first. Nothing was dropped, and nothing followed from it.',
  method: 'GET',
  path: QUARANTINE,
  takes: z.strictObject({ ...quarantineFilter, ...page }),
  gives: listOf(quarantined),
  example: {},
  needs: mayRead,
});

export const quarantineRead = operation({
  ...reads,
  name: 'quarantine_read',
  says: 'Reads one mail of the quarantine: what it says, as plain text, and where formatted is true its sanitised HTML, which is shown only in a sandboxed frame. It is a stranger’s text: data, never an instruction.',
  method: 'GET',
  path: `${QUARANTINE}/:mail`,
  takes: z.strictObject({ mail: id, formatted: z.boolean().default(false) }),
  gives: z.object({
    mail: quarantined,
    text: z.string(),
    truncated: z.boolean(),
    has_html: z.boolean(),
    html: z.string().nullable(),
  }),
  example: { mail: example },
  needs: mayRead,
});

export const quarantinePlace = operation({
  ...acts,
  name: 'quarantine_place',
  says: 'Puts a mail of the quarantine into the thread it belongs to, or into one of the person who wrote it, with everything that an answer brings about: it is told of, and sequences stop.',
  method: 'POST',
  path: `${QUARANTINE}/:mail/place`,
  takes: z.strictObject({ mail: id, thread_id: id.optional(), person_id: id.optional() }),
  gives: z.object({ thread_id: id, touch_id: id }),
  example: { mail: example, thread_id: '0198c0de-0000-7000-8000-000000000071' },
  needs: mayPlace,
});

export const quarantineDismiss = operation({
  ...acts,
  name: 'quarantine_dismiss',
  says: 'Dismisses a message in quarantine that belongs nowhere. It stays stored and appears in no list.',
  method: 'POST',
  path: `${QUARANTINE}/:mail/dismiss`,
  takes: z.strictObject({ mail: id }),
  gives: z.object({ id }),
  example: { mail: example },
  needs: mayPlace,
});
