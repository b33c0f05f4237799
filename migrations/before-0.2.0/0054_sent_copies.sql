-- Copies of letters in the Sent folder of their sender's mailbox: looked for by Message-ID, and filed there where nobody else does.
alter table identities add column sent_copies text not null default 'auto' check (sent_copies in ('auto', 'append', 'none'));
-- Where the mailbox marks no folder as Sent (RFC 6154), or another one is meant.
alter table identities add column sent_folder text check (sent_folder <> '');

create table sent_copies (
  send_id uuid primary key references sends on delete cascade,
  identity_id uuid not null references identities on delete cascade,
  -- `due`: looked for, and filed where it is missing; `found`: it was there; `filed` by the product; `left`: nothing more is done.
  state text not null default 'due' check (state in ('due', 'found', 'filed', 'left')),
  due_at timestamptz not null,
  looks int not null default 0 check (looks >= 0),
  -- When it was last looked for in the folder; null: never.
  looked_at timestamptz
);
create index sent_copies_due on sent_copies (identity_id, due_at) where state = 'due';
create index sent_copies_over on sent_copies (looked_at) where state <> 'due';

-- The folder of one identity: who works on it, and what is wrong with it. What is known holds while the identity is at this revision.
create table sent_folders (
  identity_id uuid primary key references identities on delete cascade,
  identity_revision int not null default 0,
  trouble text,
  trouble_since timestamptz,
  tries int not null default 0 check (tries >= 0),
  due_at timestamptz not null,
  lease uuid,
  lease_until timestamptz
);

-- A minute in which a provider that files copies itself has done so. The letter of which nobody knows is only looked for.
create function letter_has_copy() returns trigger language plpgsql as $$
begin
  insert into sent_copies (send_id, identity_id, due_at)
  select new.id, i.id, new.updated_at + interval '1 minute' from identities i
  where i.id = new.identity_id and i.inbound_kind = 'imap' and i.transport_kind <> 'sandbox' and i.gone_at is null
    and (i.sent_copies <> 'none' or new.state = 'uncertain')
  on conflict (send_id) do update set state = 'due', due_at = excluded.due_at, looks = 0
    where sent_copies.state in ('due', 'left');
  return null;
end $$;
create trigger letter_has_copy after update of state on sends
  for each row when (new.state in ('sent', 'uncertain') and new.state is distinct from old.state)
  execute function letter_has_copy();
