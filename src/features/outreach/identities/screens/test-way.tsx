// The test of both ways: each rung with what it found, up to where a letter could leave and to where answers arrive.
import { Button } from '@mantine/core';
import { CircleCheck, CircleHelp, CircleX, Minus, PlugZap } from 'lucide-react';
import type { Answer } from '../../../../ui/client/call.ts';
import { useAct } from '../../../../ui/client/hooks.ts';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { Identity } from '../contract.ts';
import { TESTED } from './words.ts';
import classes from './identities.module.css';

const ICON = { pass: CircleCheck, fail: CircleX, unknown: CircleHelp, skipped: Minus };
const WORD = { pass: 'Passed', fail: 'Failed', unknown: 'Inconclusive', skipped: 'Skipped' };

export function TestWay({ identity }: { identity: Identity }) {
  const test = useAct('identity_test');
  const rungs = test.data?.rungs;
  return (
    <div className={classes.stack}>
      <div className={classes.acts}>
        <Button
          variant="default"
          leftSection={<PlugZap size={14} />}
          loading={test.isPending}
          onClick={() => test.mutate({ identity: identity.id })}
        >
          Test connection
        </Button>
        <span className={classes.quiet} role="status">
          {test.isPending ? (
            'Testing both connections…'
          ) : identity.test_outcome ? (
            <>
              <Pill tone={TESTED[identity.test_outcome].tone}>{TESTED[identity.test_outcome].title}</Pill>{' '}
              <Time at={identity.last_tested_at} />
            </>
          ) : (
            'Never tested.'
          )}
        </span>
      </div>
      {rungs && (
        <>
          <Rungs of={rungs.filter(({ rung }) => !isIn(rung))} title="Outgoing mail" />
          <Rungs of={rungs.filter(({ rung }) => isIn(rung))} title="Incoming mail" />
        </>
      )}
    </div>
  );
}

type Rung = Answer<'identity_test'>['rungs'][number];
const isIn = (rung: string): boolean => rung.startsWith('inbound_');

const Rungs = ({ of, title }: { of: Rung[]; title: string }) =>
  of.length > 0 && (
    <section>
      <h3>{title}</h3>
      <ol className={classes.rungs} aria-label={`Test results: ${title.toLowerCase()}`}>
        {of.map(({ rung, outcome, sentence }) => {
          const Icon = ICON[outcome];
          return (
            <li key={rung} data-outcome={outcome}>
              <Icon size={15} role="img" aria-label={WORD[outcome]} />
              <span>{sentence}</span>
            </li>
          );
        })}
      </ol>
    </section>
  );
