// Card on Today: setup steps left, the next one, and a link to all. Hidden from people who can’t take them, after it is
// dismissed, and once all are done on an instance with a public address.
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { useMe } from '../../../../ui/client/session.ts';
import { AS_IT_STANDS, STEP_WORDS } from './steps.ts';
import classes from './first-run.module.css';

export function FirstRun() {
  const me = useMe();
  return me.admin ? <Card /> : null;
}

function Card() {
  const { data } = useRead('start_get', {}, AS_IT_STANDS);
  const dismiss = useAct('start_dismiss', {
    says: 'Get started dismissed. You can find it in Settings.',
  });
  const left = data?.steps.filter(({ state }) => state !== 'done') ?? [];
  const [next] = left;
  if (!data || data.dismissed || (!next && data.address.opens_outside)) return null;
  return (
    <section aria-labelledby="first-steps" className={classes.small}>
      <div>
        <h2 id="first-steps" className={classes.title}>
          {!next
            ? 'Set the public address of this instance'
            : left.length === data.steps.length
              ? 'Get started'
              : `${left.length} setup ${left.length === 1 ? 'step' : 'steps'} left`}
        </h2>
        {next && <p className={classes.says}>Next: {STEP_WORDS[next.key].title.toLowerCase()}.</p>}
        {!data.address.opens_outside && (
          <p className={classes.says}>
            Letters are held until this instance has a public https address. Recipients can’t open{' '}
            <code>{data.address.base_url}</code>.
          </p>
        )}
      </div>
      <Button
        variant="subtle"
        color="gray"
        loading={dismiss.isPending}
        onClick={() => dismiss.mutate({ dismissed: true })}
      >
        Dismiss
      </Button>
      <Button component={Link} to="/start">
        Show steps
      </Button>
    </section>
  );
}
