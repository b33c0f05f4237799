// The letters of a campaign that a gate stopped, by the reason: what lifts it, who can, and whom it keeps waiting. Those that
// may have gone are first: nothing resends them.
import { many } from '../../../../ui/kit/numbers.ts';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { MailCheck } from 'lucide-react';
import { useAct, usePages } from '../../../../ui/client/hooks.ts';
import { Empty, Bones, Trouble } from '../../../../ui/kit/states.tsx';
import type { Send } from '../../sends/contract.ts';
import { Letters } from './letters.tsx';
import type { TabProps } from './tab.ts';
import { WHO } from './words.ts';
import classes from './overview.module.css';

function byReason(letters: Send[]): [string, Send[]][] {
  const groups = new Map<string, Send[]>();
  for (const letter of letters) {
    const reason = letter.hold?.reason ?? 'unknown';
    groups.set(reason, [...(groups.get(reason) ?? []), letter]);
  }
  return [...groups].toSorted(([, a], [, b]) => b.length - a.length);
}

export function HeldTab({ campaign }: TabProps) {
  const held = usePages('send_list', { campaign: campaign.id, state: 'held', limit: 200 });
  const uncertain = usePages('send_list', { campaign: campaign.id, state: 'uncertain', limit: 50 });
  const failed = usePages('send_list', { campaign: campaign.id, state: 'failed', limit: 50 });
  const recheck = useAct('send_recheck', { touches: ['campaigns', 'prospects'] });
  if (held.error) return <Trouble error={held.error} again={held.again} />;
  if (held.pending)
    return (
      <div className={classes.overview}>
        <Bones lines={6} height={22} />
      </div>
    );
  if (held.rows.length === 0 && uncertain.rows.length === 0 && failed.rows.length === 0)
    return (
      <Empty icon={MailCheck} title="No held letters">
        Letters stopped by a gate appear here with the reason and the fix.
      </Empty>
    );
  return (
    <div className={classes.overview}>
      {uncertain.rows.length > 0 && (
        <section className={classes.card} aria-labelledby="uncertain">
          <h2 id="uncertain">{many(uncertain.rows.length, 'letter', 'letters')} may have been sent</h2>
          <p className={classes.quiet}>
            The connection dropped during sending. These letters aren’t resent automatically. A bounce, a
            reply or a person’s decision settles each one.
          </p>
          <Letters letters={uncertain.rows} />
        </section>
      )}
      {failed.rows.length > 0 && (
        <section className={classes.card} aria-labelledby="failed">
          <h2 id="failed">{many(failed.rows.length, 'letter')} not accepted</h2>
          <p className={classes.quiet}>
            Each letter shows why the mail server didn’t accept it.{' '}
            <Link to="/sends" search={{ campaign: campaign.id }}>
              View letters
            </Link>
          </p>
          <Letters letters={failed.rows} />
        </section>
      )}
      {byReason(held.rows).map(([reason, letters]) => {
        const hold = letters[0]?.hold;
        return (
          <section key={reason} className={classes.card} aria-labelledby={`held-${reason}`}>
            <div className={classes.head}>
              <h2 id={`held-${reason}`}>
                {many(letters.length, 'letter', 'letters')}
                {held.more && ' or more'}: {hold?.sentence ?? 'held'}
              </h2>
              <Button
                variant="default"
                size="compact-sm"
                aria-label={`Check again: ${hold?.sentence ?? reason}`}
                onClick={() => {
                  for (const { id } of letters.slice(0, 50)) recheck.mutate({ send: id });
                }}
              >
                Check again
              </Button>
            </div>
            <p className={classes.quiet}>
              {hold?.fix} {hold && <span className={classes.who}>{WHO[hold.who]}</span>}
            </p>
            <Letters letters={letters} />
          </section>
        );
      })}
      {held.more && (
        <Button variant="default" onClick={held.more}>
          Load more
        </Button>
      )}
    </div>
  );
}
