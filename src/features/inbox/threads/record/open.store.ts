// Makes threads, and finds the one that something said belongs to.
import type { Principal } from '../../../../kernel/caller.ts';
import type { Transaction } from '../../../../kernel/database.ts';
import { newId } from '../../../../kernel/ids.ts';
import { cleanLine } from './clean.rules.ts';
import type { Channel } from '../names.rules.ts';

export type NewThread = {
  channel: Channel;
  subject?: string;
  person_id?: string | null;
  prospect_id?: string | null;
  campaign_id?: string | null;
  identity_id?: string | null;
  /** Of a chat, and of no other: whose it is. */
  owner?: Pick<Principal, 'kind' | 'id'>;
};

/** A thread without a touch; gives its id. Channel `chat` needs an owner and is no one else's. */
export async function openThread(tx: Transaction, thread: NewThread, now: Date): Promise<string> {
  const id = newId();
  await tx`insert into threads ${tx({
    id,
    channel: thread.channel,
    kind: thread.channel === 'chat' ? 'chat' : 'conversation',
    subject: cleanLine(thread.subject ?? ''),
    person_id: thread.person_id ?? null,
    prospect_id: thread.prospect_id ?? null,
    campaign_id: thread.campaign_id ?? null,
    identity_id: thread.identity_id ?? null,
    owner_kind: thread.owner?.kind ?? null,
    owner_id: thread.owner?.id ?? null,
    last_touch_at: now,
    created_at: now,
    updated_at: now,
  })}`;
  return id;
}

/** What is known of where something belongs; the first that is given decides. */
export type Belongs = { channel: Exclude<Channel, 'chat'>; subject?: string; identity_id?: string | null } & (
  | { send_id: string }
  | { prospect_id: string }
  | { person_id: string | null }
);

type Of = {
  thread_id: string | null;
  prospect_id: string | null;
  person_id: string | null;
  campaign_id: string | null;
  identity_id: string | null;
  subject: string;
};

/**
 * The conversation that something belongs to, locked, and made where there is none: the one its letter went out in; else a
 * prospect's oldest on the channel; else, of someone in no campaign, their newest that is of no campaign either. Ask before
 * any prospect is locked: threads come first. A letter that is not recorded yet finds this thread when it is.
 */
export async function threadFor(tx: Transaction, belongs: Belongs, now: Date): Promise<string> {
  const first = await whose(tx, belongs);
  const found = await findThread(tx, first, belongs);
  if (found !== null) return found;
  // Of two that found none, the second waits for the first and finds its.
  await holdMaking(tx, first.prospect_id ?? ('send_id' in belongs ? belongs.send_id : first.person_id));
  const of = await whose(tx, belongs);
  const made = await findThread(tx, of, belongs);
  if (made !== null) return made;
  const { channel, subject, identity_id } = belongs;
  const id = await openThread(
    tx,
    { ...of, channel, subject: subject ?? of.subject, identity_id: identity_id ?? of.identity_id },
    now,
  );
  if ('send_id' in belongs) await tx`update sends set thread_id = ${id} where id = ${belongs.send_id}`;
  return id;
}

/** No one else makes a thread of this prospect, letter or person until this act is over. */
export async function holdMaking(tx: Transaction, of: string | null): Promise<void> {
  if (of !== null) await tx`select pg_advisory_xact_lock(hashtextextended(${`threads.${of}`}, 0))`;
}

async function whose(tx: Transaction, belongs: Belongs): Promise<Of> {
  const nobody: Of = {
    thread_id: null,
    prospect_id: null,
    person_id: null,
    campaign_id: null,
    identity_id: null,
    subject: '',
  };
  if ('send_id' in belongs) {
    const [row] = await tx<Of[]>`
      select thread_id, prospect_id, person_id, campaign_id, identity_id, subject from sends
      where id = ${belongs.send_id}`;
    return row ?? nobody;
  }
  if ('prospect_id' in belongs) {
    const [row] = await tx<Omit<Of, 'thread_id' | 'subject'>[]>`
      select id as prospect_id, person_id, campaign_id, identity_id from prospects
      where id = ${belongs.prospect_id}`;
    return { ...nobody, ...row };
  }
  return { ...nobody, person_id: belongs.person_id };
}

async function findThread(tx: Transaction, of: Of, belongs: Belongs): Promise<string | null> {
  const { channel } = belongs;
  const where =
    of.thread_id !== null
      ? tx`t.id = coalesce((select merged_into from threads where id = ${of.thread_id}), ${of.thread_id})`
      : of.prospect_id !== null
        ? tx`t.id = (
            select coalesce(o.merged_into, o.id) from threads o
            where o.prospect_id = ${of.prospect_id} and o.channel = ${channel} order by o.created_at, o.id limit 1)`
        : of.person_id !== null && !('send_id' in belongs)
          ? tx`t.id = (
              select o.id from threads o
              where o.person_id = ${of.person_id} and o.prospect_id is null and o.channel = ${channel}
                and o.merged_into is null
              order by o.last_touch_at desc, o.id desc limit 1)`
          : null;
  if (where === null) return null;
  const [row] = await tx<{ id: string }[]>`select t.id from threads t where ${where} for no key update`;
  return row?.id ?? null;
}
