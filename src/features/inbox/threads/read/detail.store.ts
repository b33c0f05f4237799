// What is beside a thread that was loaded: whom it is with, the campaign, how far they came, and drafts that wait.
import type { z } from 'zod';
import type { Caller } from '../../../../kernel/caller.ts';
import type { Reader } from '../../../../kernel/database.ts';
import { decide } from '../../../../kernel/policy.ts';
import { liveDraftOf } from '../../answers/shown.ts';
import { personIsSuppressed } from '../../../crm/suppressions/store.ts';
import type { LoadedThread } from '../store.ts';
import type { threadGet } from '../touches.contract.ts';

type Read = z.input<typeof threadGet.gives>;
export type Beside = Pick<Read, 'person' | 'prospect' | 'campaign' | 'draft'>;

type Row = Pick<Beside, 'person' | 'prospect' | 'campaign'>;

/** Characters of a draft that a thread shows. */
const DRAFT_SHOWN = 4_000;

export async function besideThread(
  db: Reader,
  caller: Caller,
  thread: LoadedThread,
  now: Date,
): Promise<Beside> {
  const { person_id } = thread;
  const mayPerson =
    person_id !== null && decide(caller.rights, 'crm.person.read', [`crm:person/${person_id}`]).allowed;
  const [row] = await db<Row[]>`
    select
      (select jsonb_build_object('id', p.id, 'name', p.name, 'title', p.title,
         'company', (select c.name from companies c where c.id = p.company_id), 'address', a.value,
         'suppressed', ${personIsSuppressed(db, now)})
       from people p left join person_addresses a on a.person_id = p.id and a.is_primary
       where p.id = ${mayPerson ? person_id : null}::uuid) as person,
      (select jsonb_build_object('id', r.id, 'stage', r.stage, 'ended', r.ended,
         'on_hold', r.hold_by is not null and (r.hold_until is null or r.hold_until > ${now}))
       from prospects r where r.id = ${thread.prospect_id}::uuid) as prospect,
      (select jsonb_build_object('id', c.id, 'name', c.name, 'state', c.state)
       from campaigns c where c.id = ${thread.campaign_id}::uuid) as campaign`;
  return {
    person: row?.person ?? null,
    prospect: row?.prospect ?? null,
    campaign: row?.campaign ?? null,
    draft: shortened(await liveDraftOf(db, thread, caller)),
  };
}

function shortened(answer: Awaited<ReturnType<typeof liveDraftOf>>): Beside['draft'] {
  if (answer === null) return null;
  const { id, draft_by, subject, text, recipients, fingerprint, newer_message, state, why_not } = answer;
  return {
    id,
    draft_by,
    subject,
    text: text.slice(0, DRAFT_SHOWN).toWellFormed(),
    text_cut: text.length > DRAFT_SHOWN,
    recipients,
    fingerprint,
    newer_message,
    state,
    why_not,
    revision: answer.revision,
    updated_at: answer.updated_at,
  };
}
