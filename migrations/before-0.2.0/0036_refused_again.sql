-- A row of the audit log may stand for refusals alike that came within one minute (src/kernel/failures.ts).
alter table audit add column times integer not null default 1;
