-- Metrics count whoever was ever at a stage, also once they left it. Every prospect says when they first reached each stage
-- that one can leave, and the counts by day have everyone once for each stage that they reached or passed.
alter table prospects add bounced_at timestamptz, add replied_at timestamptz, add declined_at timestamptz,
  add positive_at timestamptz, add meeting_at timestamptz, add won_at timestamptz;

-- The same stages as in src/kernel/metrics.rules.ts.
create function prospect_reaches_stage() returns trigger language plpgsql as $$
begin
  if new.stage = 'bounced' then new.bounced_at := coalesce(new.bounced_at, new.stage_at); end if;
  if new.stage = 'declined' then new.declined_at := coalesce(new.declined_at, new.stage_at); end if;
  if new.stage in ('replied', 'declined', 'positive', 'meeting', 'won') then
    new.replied_at := coalesce(new.replied_at, new.stage_at);
  end if;
  if new.stage in ('positive', 'meeting', 'won') then new.positive_at := coalesce(new.positive_at, new.stage_at); end if;
  if new.stage in ('meeting', 'won') then new.meeting_at := coalesce(new.meeting_at, new.stage_at); end if;
  if new.stage = 'won' then new.won_at := coalesce(new.won_at, new.stage_at); end if;
  return new;
end $$;

-- What is known of moves before this version; whoever has no such facts is at the one stage that their row says.
update prospects p set bounced_at = f.bounced_at, replied_at = f.replied_at, declined_at = f.declined_at,
  positive_at = f.positive_at, meeting_at = f.meeting_at, won_at = f.won_at
from (
  select prospect_id,
    min(at) filter (where reached = 'bounced') as bounced_at,
    min(at) filter (where reached in ('replied', 'declined', 'positive', 'meeting', 'won')) as replied_at,
    min(at) filter (where reached = 'declined') as declined_at,
    min(at) filter (where reached in ('positive', 'meeting', 'won')) as positive_at,
    min(at) filter (where reached in ('meeting', 'won')) as meeting_at,
    min(at) filter (where reached = 'won') as won_at
  from (select prospect_id, at, details ->> 'to' as reached from prospect_facts where kind = 'stage') moves
  group by prospect_id) f
where f.prospect_id = p.id and p.stage not in ('enrolled', 'contacted');

-- Stages that someone passed over were counted on no day. Only the step from one fact to the next says which.
with moves as (
  select f.prospect_id, f.details ->> 'from' as before, f.details ->> 'to' as after, f.at
  from prospect_facts f where f.kind = 'stage'
), known as (
  select prospect_id, before, after, at from moves
  union all
  select p.id, 'contacted', p.stage, p.stage_at from prospects p
  where p.stage in ('declined', 'positive', 'meeting', 'won')
    and not exists (select from prospect_facts f where f.prospect_id = p.id and f.kind = 'stage')
), passed as (
  select k.prospect_id, k.at, m.stage from known k cross join (values
    ('contacted', array['contacted', 'bounced', 'replied', 'declined', 'positive', 'meeting', 'won', 'unsubscribed']),
    ('replied', array['replied', 'declined', 'positive', 'meeting', 'won']),
    ('positive', array['positive', 'meeting', 'won']),
    ('meeting', array['meeting', 'won'])) m (stage, stages)
  where k.after = any(m.stages) and k.after <> m.stage and not k.before = any(m.stages)
)
insert into stages_reached (campaign_id, day, stage, people)
select p.campaign_id, (s.at at time zone 'UTC')::date, s.stage, count(*) from passed s join prospects p on p.id = s.prospect_id
group by 1, 2, 3
on conflict (campaign_id, day, stage) do update set people = stages_reached.people + excluded.people;

create trigger prospect_reaches_stage before insert or update of stage on prospects
  for each row execute function prospect_reaches_stage();
update prospects set stage = stage where stage not in ('enrolled', 'contacted');
