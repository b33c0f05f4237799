-- What comes back: mail as it came in, conversations of every channel with what was said in them, answers, and the
-- forms whose posts land here.

-- Where somebody else's mailbox was last read. One row a folder; a changed UIDVALIDITY starts it anew. The row of the inbox
-- stands for the whole mailbox: who watches it, when it is due, and what is wrong with it.
create table mailboxes (
  id uuid primary key,
  identity_id uuid not null references identities on delete cascade,
  role text not null check (role in ('inbox', 'sent', 'junk')),
  folder text,
  uid_validity numeric(20),
  last_uid bigint not null default 0 check (last_uid >= 0),
  -- What came into the folder earlier is nobody's concern here.
  from_at timestamptz,
  -- A mail that would not be fetched, and how often it was tried: it must not stop every later one.
  stuck_uid bigint,
  stuck_tries int not null default 0,
  -- Of the settings that it was last opened with: which mailbox, and how it was signed in to.
  place text,
  way text,
  -- What went wrong last, in our own words, and since when; null while it is well.
  trouble text,
  trouble_since timestamptz,
  tries int not null default 0,
  polled_at timestamptz,
  due_at timestamptz not null,
  lease uuid,
  lease_until timestamptz,
  unique (identity_id, role),
  check ((trouble is null) = (trouble_since is null))
);
create index mailboxes_due on mailboxes (due_at, id) where role = 'inbox';
create index mailboxes_held on mailboxes (lease) where lease is not null;
create index identities_watched on identities (id) where inbound_kind = 'imap' and gone_at is null;

-- Mail as it came, before anybody has read what it means. Landing it is safe to repeat; its bytes stay for a person to look at.
create table inbound_mails (
  id uuid primary key,
  -- Where it came from and its number there: what was read twice is here once.
  key text not null unique,
  source text not null check (source in ('imap', 'vendor')),
  identity_id uuid references identities,
  folder_role text not null default 'inbox' check (folder_role in ('inbox', 'sent', 'junk')),
  -- The addresses that it was delivered to, where the source says so.
  delivered_to text[] not null default '{}',
  bytes bytea not null,
  size int not null check (size >= 0),
  -- The source held more than we take: what is here is its beginning.
  cut boolean not null default false,
  message_id text,
  received_at timestamptz not null,
  state text not null default 'new' check (state in ('new', 'landed', 'reported', 'matched', 'quarantined', 'ignored', 'broken')),
  -- Why it is in quarantine, ignored or broken, in our own words.
  note text,
  touch_id uuid,
  -- Whom and what it is from, as it says itself; known once it was read.
  from_address text,
  from_name text,
  -- Of that address, so that what waits here of somebody is found when they are erased.
  from_hash text,
  subject text not null default '',
  tries int not null default 0,
  due_at timestamptz,
  lease uuid,
  lease_until timestamptz,
  settled_at timestamptz,
  check ((state = 'new') = (settled_at is null))
);
create index inbound_mails_due on inbound_mails (due_at, id) where state = 'new';
create index inbound_mails_quarantined on inbound_mails (received_at desc, id desc) where state in ('quarantined', 'broken');
create index inbound_mails_forgettable on inbound_mails (settled_at)
  where state in ('reported', 'matched', 'ignored') and size > 0;
create index inbound_mails_by_sender on inbound_mails (from_hash) where from_hash is not null and touch_id is null;
create index inbound_mails_by_message on inbound_mails (message_id) where message_id is not null;

-- Mail that a vendor took for us and told us of: its bytes are asked for by its name there.
create table vendor_mails (
  provider text not null,
  external_id text not null,
  delivered_to text[] not null default '{}',
  received_at timestamptz not null,
  tries int not null default 0,
  due_at timestamptz not null,
  lease uuid,
  lease_until timestamptz,
  settled_at timestamptz,
  primary key (provider, external_id)
);
create index vendor_mails_due on vendor_mails (due_at, provider, external_id) where settled_at is null;
create index vendor_mails_settled on vendor_mails (settled_at) where settled_at is not null;

create table forms (
  id uuid primary key,
  name text not null check (name <> ''),
  -- The last segment of its address: enough randomness that it is found by those who were given it alone.
  slug text not null unique,
  identity_id uuid references identities,
  campaign_id uuid references campaigns,
  -- Where a browser is sent after a post; null: a page of ours says thanks.
  redirect_url text,
  -- Pages whose scripts may post and read the answer; a form that a browser sends by itself needs none.
  origins text[] not null default '{}',
  active boolean not null default true,
  posts int not null default 0,
  last_post_at timestamptz,
  revision int not null default 1,
  created_by_kind text not null,
  created_by_id text not null,
  created_by_name text not null,
  created_by_on_behalf_of jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index forms_newest on forms (created_at desc, id desc);

create table threads (
  id uuid primary key,
  channel text not null check (channel in ('email', 'form', 'sms', 'linkedin', 'call', 'chat')),
  kind text not null check (kind in ('conversation', 'chat')),
  subject text not null default '',
  person_id uuid references people on delete set null,
  prospect_id uuid references prospects,
  campaign_id uuid references campaigns,
  identity_id uuid references identities,
  -- Of a chat: whose it is. Nobody else sees it.
  owner_kind text,
  owner_id text,
  assignee_kind text,
  assignee_id text,
  assignee_name text,
  state text not null default 'open' check (state in ('open', 'snoozed', 'closed')),
  snoozed_until timestamptz,
  -- Kept with every touch: the newest touch that no machine wrote decides. `us`: they wait for our answer.
  waiting text not null default 'none' check (waiting in ('us', 'them', 'none')),
  waiting_since timestamptz,
  reading text check (reading in
    ('positive', 'neutral', 'negative', 'referral', 'unsubscribe', 'out_of_office', 'unread')),
  labels text[] not null default '{}',
  last_touch_at timestamptz not null,
  -- When they last wrote; null: only we did, and it stands in no inbox.
  last_in_at timestamptz,
  last_out_at timestamptz,
  -- When what they said last got here: what a person has read is compared with this, not with their clock.
  landed_at timestamptz,
  -- One line of what was said last, for lists.
  snippet text not null default '',
  touches int not null default 0 check (touches >= 0),
  merged_into uuid references threads,
  revision int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((kind = 'chat') = (channel = 'chat')),
  check ((kind = 'chat') = (owner_kind is not null and owner_id is not null)),
  check (num_nulls(assignee_kind, assignee_id, assignee_name) in (0, 3)),
  check ((state = 'snoozed') = (snoozed_until is not null)),
  check ((waiting = 'none') = (waiting_since is null)),
  check (merged_into is null or state = 'closed')
);
-- A conversation that was merged away stands in no list.
create index threads_newest on threads (last_touch_at desc, id desc) where merged_into is null and kind = 'conversation';
create index threads_in_inbox on threads (last_touch_at desc, id desc)
  where merged_into is null and kind = 'conversation' and last_in_at is not null;
create index threads_by_state on threads (state, last_touch_at desc, id desc)
  where merged_into is null and kind = 'conversation' and last_in_at is not null;
create index threads_unanswered on threads (waiting_since, id)
  where merged_into is null and kind = 'conversation' and state = 'open' and waiting = 'us';
create index threads_snoozed on threads (snoozed_until, id) where state = 'snoozed';
create index threads_by_person on threads (person_id, last_touch_at desc, id desc) where person_id is not null;
create index threads_by_campaign on threads (campaign_id, last_touch_at desc, id desc) where campaign_id is not null;
create index threads_by_identity on threads (identity_id, last_touch_at desc, id desc) where identity_id is not null;
create index threads_by_prospect on threads (prospect_id, last_touch_at desc) where prospect_id is not null;
create index threads_by_reading on threads (reading, last_touch_at desc, id desc) where reading is not null and merged_into is null;
create index threads_by_assignee on threads (assignee_id, last_touch_at desc, id desc) where assignee_id is not null;
create index threads_by_label on threads using gin (labels);
create index threads_chats on threads (owner_id, owner_kind, last_touch_at desc, id desc) where kind = 'chat';

create table touches (
  id uuid primary key,
  thread_id uuid not null references threads,
  direction text not null check (direction in ('in', 'out')),
  channel text not null check (channel in ('email', 'form', 'sms', 'linkedin', 'call', 'chat')),
  -- A private note of ours: it is said to nobody and counts for nothing.
  note boolean not null default false,
  at timestamptz not null,
  from_address text,
  from_name text,
  to_addresses text[] not null default '{}',
  cc_addresses text[] not null default '{}',
  -- Of everybody whom it went to beside the first, so that whoever is erased is found among copies.
  copied_hashes text[] not null default '{}',
  subject text not null default '',
  text text not null default '',
  -- Without what was quoted and signed; `stripped_whole` where that would have left nothing and it is the original.
  text_stripped text not null default '',
  stripped_whole boolean not null default false,
  html text,
  message_id text,
  in_reply_to text,
  message_references text[] not null default '{}',
  attributed_by text check (attributed_by in ('in_reply_to', 'references', 'verp', 'quoted_id', 'guessed', 'form', 'person')),
  automatic boolean not null default false,
  -- Whether a mail came from whom it says, as our receiving server found: spf, dkim, dmarc.
  authentication jsonb check (jsonb_typeof(authentication) = 'object'),
  reading text check (reading in
    ('positive', 'neutral', 'negative', 'referral', 'unsubscribe', 'out_of_office', 'unread')),
  reading_by text check (reading_by in ('rule', 'model', 'person')),
  confidence real,
  details jsonb not null default '{}' check (jsonb_typeof(details) = 'object'),
  -- What a model or a person said of it: when, and who.
  read_at timestamptz,
  read_by_name text,
  person_id uuid references people on delete set null,
  -- What it was said in, whatever thread it stands in later: search narrows by these.
  campaign_id uuid references campaigns,
  identity_id uuid references identities,
  send_id uuid references sends,
  raw_ref uuid references inbound_mails,
  by_kind text,
  by_id text,
  by_name text,
  by_on_behalf_of jsonb,
  created_at timestamptz not null,
  check ((reading is null) = (reading_by is null)),
  check (reading is null or direction = 'in'),
  check (not note or direction = 'out'),
  -- The words it is found by, split in the process (kernel/words.ts): subject, stripped text, names and addresses.
  words tsvector not null default ''
);
create index touches_of_thread on touches (thread_id, at, id);
create index touches_newest on touches (at desc, id desc) where channel <> 'chat';
create index touches_of_campaign on touches (campaign_id, at desc, id desc) where campaign_id is not null;
create index touches_of_identity on touches (identity_id, at desc, id desc) where identity_id is not null;
create index touches_of_person on touches (person_id, at desc, id desc) where person_id is not null;
create unique index touches_one_per_mail on touches (raw_ref) where raw_ref is not null;
create unique index touches_one_per_send on touches (send_id) where send_id is not null and direction = 'out';
create index touches_by_message on touches (message_id) where message_id is not null;
create index touches_by_words on touches using gin (words);
create index touches_by_copy on touches using gin (copied_hashes) where copied_hashes <> '{}';
create index touches_unread on touches (at, id) where direction = 'in' and reading = 'unread' and reading_by = 'rule';

create table touch_attachments (
  id uuid primary key,
  touch_id uuid not null references touches on delete cascade,
  position int not null,
  filename text not null,
  content_type text not null,
  size int not null check (size >= 0),
  content_id text,
  inline boolean not null default false,
  -- Null: it was larger than we keep; the mail as it came may hold it.
  bytes bytea,
  unique (touch_id, position)
);

create table thread_reads (
  user_id uuid not null references users on delete cascade,
  thread_id uuid not null references threads on delete cascade,
  read_at timestamptz not null,
  primary key (user_id, thread_id)
);
create index thread_reads_of_thread on thread_reads (thread_id);

create table answers (
  id uuid primary key,
  thread_id uuid not null references threads,
  draft_by_kind text not null,
  draft_by_id text not null,
  draft_by_name text not null,
  draft_by_on_behalf_of jsonb,
  subject text not null,
  text text not null,
  html text,
  to_address text not null,
  cc text[] not null default '{}',
  -- Of each of `cc`, in its order.
  cc_hashes text[] not null default '{}',
  -- The touch that it answers, and whether what that said stands below.
  answers_touch uuid references touches,
  quotes boolean not null default true,
  -- `sending`: it was handed to its letter, and what became of it is read off that.
  state text not null check (state in ('draft', 'sending', 'discarded')),
  send_id uuid references sends,
  revision int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((state = 'sending') = (send_id is not null)),
  check (cardinality(cc_hashes) = cardinality(cc))
);
create index answers_by_copy on answers using gin (cc_hashes) where cc_hashes <> '{}';
create unique index answers_one_draft on answers (thread_id, draft_by_kind, draft_by_id) where state = 'draft';
create index answers_of_thread on answers (thread_id, created_at desc, id desc);
create unique index answers_by_send on answers (send_id) where send_id is not null;

-- A file that was uploaded for answers of a conversation goes with those alone; one of a campaign's steps has no thread.
alter table attachments add column thread_id uuid references threads on delete cascade;
create index attachments_of_thread on attachments (thread_id) where thread_id is not null;
create table answer_attachments (
  answer_id uuid not null references answers on delete cascade,
  attachment_id uuid not null references attachments,
  position int not null,
  primary key (answer_id, attachment_id)
);
create index answers_of_attachment on answer_attachments (attachment_id);

create table snippets (
  id uuid primary key,
  name text not null check (name <> ''),
  text text not null,
  -- Null: everybody's.
  owner_id uuid references users on delete cascade,
  revision int not null default 1,
  created_by_kind text not null,
  created_by_id text not null,
  created_by_name text not null,
  created_by_on_behalf_of jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index snippets_by_name on snippets (name, id);

alter table sends add foreign key (thread_id) references threads;
-- An answer's: the message that it has below its own words. Whoever may not read that one reads the letter without it.
alter table sends add column quotes_touch uuid references touches;
create index sends_quoting on sends (quotes_touch) where quotes_touch is not null;
create index sends_of_thread on sends (thread_id, created_at) where thread_id is not null;
alter table inbound_mails add foreign key (touch_id) references touches;

-- Somebody of this address wrote to us: better proof than any server's word.
alter table person_addresses add column replied_at timestamptz;

-- Answers that a model was asked about, while no rule could read them: by whom just now, how often, and when again.
create table readings_asked (
  touch_id uuid primary key references touches on delete cascade,
  tries int not null default 1,
  due_at timestamptz,
  lease uuid,
  lease_until timestamptz
);
