-- A tool whose server names it with signs that models do not take is called by another name now, which no other tool of that
-- server can have: the agents that have it in their lists keep it. Where one name meant several tools, nobody knows which was
-- meant, and a person chooses anew.

with named as (
  select c.name || '__' || regexp_replace(t.name, '[^A-Za-z0-9_-]', '_', 'g') as before,
    t.name !~ '^[A-Za-z0-9_-]+$' or t.name ~ '-[0-9a-f]{8}$' as renamed,
    '-' || left(encode(sha256(convert_to(t.name, 'UTF8')), 'hex'), 8) as sum
  from capability_tools t join capabilities c on c.id = t.capability_id
), moved as (
  select before, min(before || sum) as now from named group by before having count(*) = 1 and bool_and(renamed)
)
update agents a set tools = (
  select array_agg(coalesce(m.now, t.name) order by t.at)
  from unnest(a.tools) with ordinality as t(name, at) left join moved m on m.before = t.name)
where exists (select from moved m where m.before = any(a.tools));
