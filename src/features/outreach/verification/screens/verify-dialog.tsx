// Whether addresses exist, asked without a letter: each with its verdict in a sentence, and every rung with what it found.
import { Button, Modal } from '@mantine/core';
import { CircleCheck, CircleHelp, CircleX, MailSearch, Minus } from 'lucide-react';
import { useAct } from '../../../../ui/client/hooks.ts';
import { Refused } from '../../../../ui/kit/form.tsx';
import { Pill, type Tone } from '../../../../ui/kit/pills.tsx';
import { Bones } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import { useTopmost } from '../../../../ui/kit/topmost.ts';
import type { Verified } from '../contract.ts';
import classes from './verify.module.css';

const TONE: Partial<Record<Verified['verdict'], Tone>> = {
  DELIVERABLE: 'good',
  RISKY: 'warn',
  UNDELIVERABLE: 'bad',
};

const ICON = { pass: CircleCheck, fail: CircleX, unknown: CircleHelp, skipped: Minus };
const WORD = { pass: 'Passed', fail: 'Failed', unknown: 'Inconclusive', skipped: 'Skipped' };

const inWords = (code: string): string => (code.charAt(0).toUpperCase() + code.slice(1)).replaceAll('_', ' ');

type VerifyProps = { opened: boolean; onClose: () => void; addresses: string[] };

export function VerifyDialog({ opened, onClose, addresses }: VerifyProps) {
  const topmost = useTopmost(opened);
  const verify = useAct('outreach_verify', { quiet: true, touches: ['people'] });
  return (
    <Modal opened={opened} onClose={onClose} title="Verify addresses" size={620} closeOnEscape={topmost}>
      <div className={classes.stack}>
        <p className={classes.quiet}>
          Dunnock asks each mail server whether the mailbox exists. No email is sent.
        </p>
        {verify.data ? (
          <ul className={classes.results} aria-label="Results">
            {verify.data.results.map((result) => (
              <Result key={result.address} result={result} />
            ))}
          </ul>
        ) : verify.isPending ? (
          <Bones lines={4} />
        ) : (
          <ul className={classes.quiet}>
            {addresses.map((address) => (
              <li key={address}>{address}</li>
            ))}
          </ul>
        )}
        <Refused error={verify.error} />
        <div className={classes.end}>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button
            leftSection={<MailSearch size={15} />}
            loading={verify.isPending}
            onClick={() => verify.mutate({ addresses })}
          >
            {verify.data ? 'Verify again' : 'Verify'}
          </Button>
        </div>
      </div>
    </Modal>
  );
}

function Result({
  result: { address, verdict, sentence, rungs, kept, checked_at, unknown },
}: {
  result: Verified;
}) {
  return (
    <li className={classes.result}>
      <p className={classes.head}>
        <strong>{address}</strong>
        <Pill tone={TONE[verdict] ?? 'mute'}>{inWords(verdict.toLowerCase())}</Pill>
      </p>
      <p>{sentence}</p>
      {unknown && (
        <p className={classes.quiet}>
          {unknown.sentence} Latest check: <Time at={unknown.at} />
          {' · '}Last clear result: <Time at={checked_at} />
        </p>
      )}
      {kept && (
        <p className={classes.quiet}>
          Saved result: <Time at={checked_at} />
        </p>
      )}
      {rungs.length > 0 && (
        <details>
          <summary>Steps of this check</summary>
          <ol className={classes.rungs}>
            {rungs.map(({ rung, outcome, evidence }) => {
              const Icon = ICON[outcome];
              return (
                <li key={rung} data-outcome={outcome}>
                  <Icon size={14} role="img" aria-label={WORD[outcome]} />
                  <span>{inWords(rung)}</span>
                  <span className={classes.quiet}>{evidence}</span>
                </li>
              );
            })}
          </ol>
        </details>
      )}
    </li>
  );
}
