// What a draft still needs before it can start, in the order that is easiest; each line leads to where it is done.
import { many } from '../../../../ui/kit/numbers.ts';
import { Button } from '@mantine/core';
import { Circle, CircleCheck } from 'lucide-react';
import { useRead } from '../../../../ui/client/hooks.ts';
import type { TabName, TabProps } from './tab.ts';
import classes from './overview.module.css';

export function FirstRun({ campaign, go }: TabProps) {
  const { data } = useRead('sequence_read', { campaign: campaign.id });
  const steps = data?.sequence.steps.length ?? 0;
  const { counts, identity_pool, postal_address_id } = campaign;
  const lines: { done: boolean; title: string; says: string; act: string; to: TabName }[] = [
    {
      done: steps > 0,
      title: 'Write the steps',
      says: steps > 0 ? `${many(steps, 'step')} written` : 'For example, a letter, a wait and a follow-up',
      act: 'Write',
      to: 'steps',
    },
    {
      done: counts.people > 0,
      title: 'Enrol people',
      says:
        counts.people > 0
          ? `${many(counts.people, 'person', 'people')} enrolled`
          : 'Choose a segment or search for people. You’ll see who can’t be enrolled before you confirm.',
      act: 'Enrol',
      to: 'people',
    },
    {
      done: identity_pool.length > 0,
      title: 'Choose who sends',
      says:
        identity_pool.length > 0
          ? `${many(identity_pool.length, 'identity', 'identities')} in the pool`
          : 'Choose one or more identities. New people are split among them.',
      act: 'Choose',
      to: 'settings',
    },
    {
      done: postal_address_id !== null,
      title: 'Add a postal address',
      says: postal_address_id
        ? 'Postal address added'
        : 'Most countries require the sender’s postal address under each letter.',
      act: 'Choose',
      to: 'settings',
    },
  ];
  const left = lines.filter(({ done }) => !done).length;
  return (
    <section aria-labelledby="first-run" className={classes.card}>
      <h2 id="first-run">{left > 0 ? 'Before you activate' : 'Ready to activate'}</h2>
      <p className={classes.quiet}>
        {left > 0
          ? 'This is a draft. No letters go out until you activate it.'
          : 'Every check runs again before the campaign starts. If a required check fails, nothing is sent.'}
      </p>
      <ol className={classes.steps}>
        {lines.map(({ done, title, says, act, to }) => (
          <li key={title} data-done={done || undefined}>
            {done ? (
              <CircleCheck size={18} role="img" aria-label="Done" />
            ) : (
              <Circle size={18} role="img" aria-label="To do" />
            )}
            <div>
              <p>{title}</p>
              <p className={classes.fix}>{says}</p>
            </div>
            <Button
              variant={done ? 'subtle' : 'default'}
              color={done ? 'gray' : 'lead'}
              size="compact-sm"
              aria-label={`${done ? 'Change' : act}: ${title}`}
              onClick={() => go(to)}
            >
              {done ? 'Change' : act}
            </Button>
          </li>
        ))}
      </ol>
    </section>
  );
}
