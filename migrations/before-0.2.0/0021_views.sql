-- What somebody looks at again and again in a list: its address under a name, theirs alone.

create table list_views (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  list text not null check (list <> ''),
  name text not null check (name <> ''),
  -- What the list's address holds: filters, order and columns, as a query string.
  query text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The same name again is the same view, kept anew.
  unique (user_id, list, name)
);
