-- What a setting that was eased (eased) was when whoever may activate the campaign last agreed to it, by its name: so that it is
-- shown, and so that taking it back is noticed. A setting that was eased before this has none, and waits for an activation.
alter table campaigns add column agreed jsonb not null default '{}' check (jsonb_typeof(agreed) = 'object');
