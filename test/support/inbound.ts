// Mail that comes in, for tests of what becomes of it: bytes as they come off the wire, put where mailboxes put them, and what
// landed of them.
import { randomUUID } from 'node:crypto';
import type { TestApp } from './app.ts';

export type Written = {
  from?: string;
  to?: string;
  cc?: string;
  subject?: string;
  text?: string;
  message_id?: string;
  in_reply_to?: string;
  references?: readonly string[];
  /** Further fields, a line each. */
  fields?: readonly string[];
};

export function mailBytes(said: Written): Buffer {
  const {
    from = 'Dana Roe <dana@acme.example>',
    to = 'ada@desk.example',
    subject = 'Re: Your bridge',
  } = said;
  const { message_id = `<${randomUUID()}@acme.example>`, text = 'We would like to know more.' } = said;
  const lines = [
    `From: ${from}`,
    `To: ${to}`,
    ...(said.cc ? [`Cc: ${said.cc}`] : []),
    `Subject: ${subject}`,
    `Message-ID: ${message_id}`,
    'Date: Wed, 04 Mar 2026 10:00:00 +0000',
    ...(said.in_reply_to ? [`In-Reply-To: ${said.in_reply_to}`] : []),
    ...(said.references ? [`References: ${said.references.join('\r\n ')}`] : []),
    ...(said.fields ?? []),
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    text,
    '',
  ];
  return Buffer.from(lines.join('\r\n'));
}

export type Arrival = {
  folder_role?: 'inbox' | 'sent' | 'junk';
  delivered_to?: readonly string[];
  identity_id?: string | null;
  received_at?: Date;
  key?: string;
  source?: 'imap' | 'vendor';
};

/** Puts a mail where the watchers of mailboxes put it; gives its row's id. */
export async function arrives(app: TestApp, mail: Written | Buffer, how: Arrival = {}): Promise<string> {
  const bytes = Buffer.isBuffer(mail) ? mail : mailBytes(mail);
  const id = randomUUID();
  const now = app.clock.now();
  await app.sql`insert into inbound_mails ${app.sql({
    id,
    key: how.key ?? `test:${id}`,
    source: how.source ?? 'imap',
    identity_id: how.identity_id ?? null,
    folder_role: how.folder_role ?? 'inbox',
    delivered_to: [...(how.delivered_to ?? [])],
    bytes,
    size_bytes: bytes.byteLength,
    received_at: how.received_at ?? now,
    due_at: now,
  })}`;
  return id;
}

export const landAll = (app: TestApp): Promise<number> => app.instance.jobs.run('landing');

export type LandedMail = { state: string; note: string | null; touch: Record<string, any> | null };

/** Lands what is there, and gives what happened to this one. */
export async function landed(app: TestApp, id: string): Promise<LandedMail> {
  await landAll(app);
  const [row] = await app.sql<{ state: string; note: string | null; touch_id: string | null }[]>`
    select state, note, touch_id from inbound_mails where id = ${id}`;
  if (!row) throw new Error('the mail is gone');
  const [touch] = await app.sql`
    select t.*, th.person_id as thread_person, th.prospect_id, th.campaign_id as thread_campaign, th.waiting,
      th.reading as thread_reading, th.state as thread_state
    from touches t join threads th on th.id = t.thread_id where t.id = ${row.touch_id}`;
  return { state: row.state, note: row.note, touch: touch ?? null };
}

export const comesIn = async (app: TestApp, mail: Written | Buffer, how: Arrival = {}): Promise<LandedMail> =>
  landed(app, await arrives(app, mail, how));

/** The bodies of this kind of event, oldest first. */
export async function told(app: TestApp, event: string): Promise<Record<string, any>[]> {
  const rows = await app.sql<{ body: string }[]>`
    select body from event_deliveries where event = ${event} order by occurred_at, id`;
  return rows.map(({ body }) => JSON.parse(body).data);
}

export const standing = async (app: TestApp, prospect_id: string): Promise<Record<string, any>> => {
  const [row] = await app.sql`select * from prospects where id = ${prospect_id}`;
  return row!;
};
