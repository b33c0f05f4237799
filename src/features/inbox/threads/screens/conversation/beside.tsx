// Side panel of a conversation: person, addresses, campaign, deals, and other conversations to merge.
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ArrowLeft, Ban, Merge } from 'lucide-react';
import { useAct, useRead } from '../../../../../ui/client/hooks.ts';
import { confirm } from '../../../../../ui/kit/confirm.ts';
import { Pill } from '../../../../../ui/kit/pills.tsx';
import { Mark } from '../../../../../ui/kit/principal.tsx';
import { Time } from '../../../../../ui/kit/time.tsx';
import { STATE as DEAL_STATE, stageTitle, useStages } from '../../../../crm/deals/screens/shared.ts';
import { moneyText } from '../../../../crm/deals/screens/shared.ts';
import { VERDICT } from '../../../../crm/people/screens/shared.ts';
import { STAGE } from '../../../../outreach/prospects/screens/shared.ts';
import type { Stage } from '../../../../outreach/prospects/spine/spine.rules.ts';
import { REASON } from '../../../../crm/suppressions/screens/shared.ts';
import type { Thread } from '../../contract.ts';
import { useMinute } from './minute.ts';
import type { Conversation } from './use-conversation.ts';
import { CHANNEL } from './words.ts';
import classes from './beside.module.css';

type BesideProps = { whole: Conversation; select: (id: string) => void; back: () => void };

export function Beside({ whole, select, back }: BesideProps) {
  const { thread, person } = whole;
  return (
    <div className={classes.beside}>
      <Button
        className={classes.back ?? ''}
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={<ArrowLeft size={15} />}
        onClick={back}
      >
        Back to the conversation
      </Button>
      {person ? (
        <Who person={person} />
      ) : (
        <p className={classes.quiet}>
          {thread.person_id ? 'You don’t have permission to see people.' : 'The sender isn’t in People yet.'}
        </p>
      )}
      <Campaign whole={whole} />
      {person && <Deals person={person.id} />}
      {person && <Others person={person.id} thread={thread} select={select} />}
    </div>
  );
}

function Who({ person }: { person: NonNullable<Conversation['person']> }) {
  const read = useRead('person_read', { person: person.id }, { stale_ms: 30_000 }).data?.person;
  const now = useMinute();
  const suppressed = read?.suppressed;
  const zone = read?.timezone;
  return (
    <section aria-label="Person">
      <div className={classes.who}>
        <Mark
          of={{ kind: 'person', id: person.id, name: person.name || (person.address ?? '?') }}
          size={36}
        />
        <div>
          <h2 dir="auto">
            <Link to="/people/$person" params={{ person: person.id }}>
              {person.name || person.address || 'Unnamed'}
            </Link>
          </h2>
          <p>{[person.title, person.company].filter(Boolean).join(' · ')}</p>
        </div>
      </div>
      {person.suppressed && (
        <p className={classes.suppressed}>
          <Ban size={14} aria-hidden />
          <span>
            {suppressed ? REASON[suppressed.reason].why : 'Suppressed.'} They get no more campaign letters.
          </span>
        </p>
      )}
      <ul className={classes.addresses} aria-label="Addresses">
        {(read?.addresses ?? (person.address ? [{ value: person.address, verification: null }] : [])).map(
          ({ value, verification }) => (
            <li key={value}>
              <bdi>{value}</bdi>
              {verification && (
                <Pill tone={VERDICT[verification.verdict].tone}>{VERDICT[verification.verdict].title}</Pill>
              )}
            </li>
          ),
        )}
        {read?.phone && (
          <li>
            <bdi>{read.phone}</bdi>
          </li>
        )}
        {zone && (
          <li className={classes.quiet}>
            {new Intl.DateTimeFormat(undefined, { timeZone: zone, timeStyle: 'short' }).format(now)} local
            time, {zone.replaceAll('_', ' ')}
          </li>
        )}
      </ul>
    </section>
  );
}

function Campaign({ whole: { campaign, prospect } }: { whole: Conversation }) {
  if (!campaign) return null;
  const stage = prospect && prospect.stage in STAGE ? STAGE[prospect.stage as Stage] : null;
  return (
    <section aria-label="Campaign">
      <h2>Campaign</h2>
      <p className={classes.row}>
        <Link to="/campaigns/$campaign" params={{ campaign: campaign.id }}>
          {campaign.name}
        </Link>
        {stage && <Pill tone={stage.tone}>{stage.title}</Pill>}
      </p>
      {prospect && (
        <p className={classes.quiet}>
          {prospect.ended ? 'Sequence stopped.' : prospect.on_hold ? 'Sequence on hold.' : 'Sequence active.'}
        </p>
      )}
    </section>
  );
}

function Deals({ person }: { person: string }) {
  const { data } = useRead('deal_list', { person, limit: 10 }, { stale_ms: 30_000 });
  const stages = useStages();
  if (!data || data.items.length === 0) return null;
  return (
    <section aria-label="Deals">
      <h2>Deals</h2>
      <ul className={classes.deals}>
        {data.items.map((deal) => {
          const page: string = `/deals/${deal.id}`;
          return (
            <li key={deal.id}>
              <Link to={page}>{deal.name}</Link>
              <span className={classes.quiet}>
                {[
                  deal.amount !== null && deal.currency !== null && moneyText(deal.amount, deal.currency),
                  deal.state === 'open' ? stageTitle(stages, deal.stage) : DEAL_STATE[deal.state].title,
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

type OthersProps = { person: string; thread: Thread; select: (id: string) => void };

function Others({ person, thread, select }: OthersProps) {
  const { data } = useRead('thread_list', { person, limit: 20 });
  const merge = useAct('thread_merge', { says: 'Conversations merged' });
  const others = (data?.items ?? []).filter(({ id }) => id !== thread.id);
  if (others.length === 0) return null;
  const ask = async (other: Thread): Promise<void> => {
    const yes = await confirm({
      title: `Merge “${other.subject || CHANNEL[other.channel]}” into this conversation?`,
      says: 'Messages from the other conversation are added here in date order. You can split them off later.',
      act: 'Merge',
    });
    if (yes)
      merge.mutate({
        thread: thread.id,
        from: other.id,
        revision: thread.revision,
        from_revision: other.revision,
      });
  };
  return (
    <section aria-label="Other conversations">
      <h2>Other conversations</h2>
      <ul className={classes.others}>
        {others.map((other) => (
          <li key={other.id}>
            <button type="button" className={classes.other} onClick={() => select(other.id)}>
              <span dir="auto">{other.subject || CHANNEL[other.channel]}</span>
              <span className={classes.quiet}>
                <Time at={other.last_touch_at} /> · {other.touch_count}{' '}
                {other.touch_count === 1 ? 'message' : 'messages'}
              </span>
            </button>
            <Button
              size="compact-xs"
              variant="subtle"
              color="gray"
              leftSection={<Merge size={12} />}
              aria-label={`Merge ${other.subject || CHANNEL[other.channel]} into this one`}
              onClick={() => void ask(other)}
            >
              Merge
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
