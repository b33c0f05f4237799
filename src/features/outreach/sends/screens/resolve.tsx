// A letter whose sending broke off: no one knows whether it went. A person says which, with what each answer leads to.
import { Button } from '@mantine/core';
import { useAct } from '../../../../ui/client/hooks.ts';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { Time } from '../../../../ui/kit/time.tsx';
import type { Send } from '../contract.ts';
import { addressee, UNCERTAIN } from './words.ts';
import classes from './sends.module.css';

export function Resolve({ send }: { send: Send }) {
  const act = useAct('send_resolve', {
    says: (_, { outcome }) => (outcome === 'sent' ? 'Marked as sent.' : 'Letter queued to send again.'),
  });
  const who = addressee(send);
  const ask = async (outcome: 'sent' | 'not_sent'): Promise<void> => {
    const yes = await confirm(
      outcome === 'sent'
        ? {
            title: 'Mark as sent?',
            says: `${who} moves on to the next step. If the letter never left, it isn’t sent again.`,
            act: 'Mark as sent',
          }
        : {
            title: 'Send this letter again?',
            says: `The letter goes to ${send.to} again. If the first attempt arrived, ${who} gets it twice.`,
            act: 'Send again',
            tone: 'bad',
          },
    );
    if (yes) act.mutate({ send: send.id, outcome });
  };
  return (
    <section className={classes.resolve} aria-labelledby="resolve">
      <h2 id="resolve">Was this letter sent?</h2>
      <p>
        The connection was lost after the mail server received the letter and before it replied, so the letter
        isn’t sent again automatically. Evidence for <code>{send.message_id}</code>:
      </p>
      <LookedFor of={send.looked_for ?? []} />
      <div className={classes.outcomes}>
        <div className={classes.outcome}>
          <div>
            <strong>It was sent</strong>
            <p>The sequence continues. If this is wrong, {who} misses this letter.</p>
          </div>
          <Button variant="default" loading={act.isPending} onClick={() => void ask('sent')}>
            It was sent
          </Button>
        </div>
        <div className={classes.outcome}>
          <div>
            <strong>It was not sent</strong>
            <p>The letter is sent again. If this is wrong, {who} gets it twice.</p>
          </div>
          <Button color="red" variant="light" loading={act.isPending} onClick={() => void ask('not_sent')}>
            It was not sent
          </Button>
        </div>
      </div>
    </section>
  );
}

function LookedFor({ of }: { of: NonNullable<Send['looked_for']> }) {
  if (of.every(({ looked_at }) => looked_at === null))
    return <p className={classes.looked}>{UNCERTAIN.never}.</p>;
  return (
    <ul className={classes.looked} aria-label="Evidence">
      {of.map(({ evidence, looked_at }) => (
        <li key={evidence}>
          {UNCERTAIN.evidence[evidence]}: {looked_at ? UNCERTAIN.none : 'not checked'}
          {looked_at && (
            <>
              , checked <Time at={looked_at} />
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
