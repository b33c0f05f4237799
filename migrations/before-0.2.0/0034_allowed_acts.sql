-- Acts that an agent may do without proposing them, and whether a turn has read what outsiders wrote, which ends that.

-- Names of operations, given by an administrator.
alter table agents add column allowed text[] not null default '{}';

-- It has read an outsider's words, or was begun with them; turns that remember it are as it is.
alter table chat_turns add column outside boolean not null default false;
-- What was read before this was written down is not known.
update chat_turns set outside = true where said <> '[]';
