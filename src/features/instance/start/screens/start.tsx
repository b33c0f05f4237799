// Get started: the first steps with how each exists, and sample data to try the product with.
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Circle, CircleCheck, CircleDashed } from 'lucide-react';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { staleAll } from '../../../../ui/client/topics.ts';
import { CodeBlock } from '../../../../ui/kit/code-block.tsx';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { Page } from '../../../../ui/kit/page.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import { AS_IT_STANDS, STEP_WORDS, type StartStep } from './steps.ts';
import classes from './first-run.module.css';

export function StartScreen() {
  const read = useRead('start_get', {}, AS_IT_STANDS);
  const bring = useAct('start_dismiss', { says: 'The first steps stand on Today again.' });
  return (
    <Page
      crumbs={[{ title: 'Get started' }]}
      width="reading"
      actions={
        read.data?.dismissed && (
          <Button
            variant="default"
            loading={bring.isPending}
            onClick={() => bring.mutate({ dismissed: false })}
          >
            Show on Today
          </Button>
        )
      }
    >
      {read.error && !read.data ? (
        <Trouble error={read.error} again={() => void read.refetch()} page />
      ) : !read.data ? (
        <Bones lines={5} height={44} />
      ) : (
        <div className={classes.page}>
          {!read.data.address.opens_outside && <LocalAddress base_url={read.data.address.base_url} />}
          <Steps steps={read.data.steps} />
          <Samples stand={read.data.samples} />
        </div>
      )}
    </Page>
  );
}

function LocalAddress({ base_url }: { base_url: string }) {
  return (
    <section aria-labelledby="address" className={classes.card} data-tone="warn">
      <h2 id="address">Set the address of this instance</h2>
      <p className={classes.quiet}>
        Letters to people are held until it is a public https address, because they carry links that begin
        with <code>{base_url}</code>. Whoever runs the instance starts it with its address:
      </p>
      <CodeBlock label="Start command" text="SERVICE_BASE_URL=https://desk.example.com npm start" wrap />
    </section>
  );
}

const SIGNS = {
  done: <CircleCheck size={18} role="img" aria-label="Done" />,
  begun: <CircleDashed size={18} role="img" aria-label="Begun" />,
  open: <Circle size={18} role="img" aria-label="To do" />,
};

function Steps({ steps }: { steps: StartStep[] }) {
  const left = steps.filter(({ state }) => state !== 'done').length;
  return (
    <section aria-labelledby="steps" className={classes.card}>
      <h2 id="steps">{left > 0 ? 'Before the first letter' : 'All set up'}</h2>
      <p className={classes.quiet}>
        {left > 0
          ? 'In any order. Each step shows its current state.'
          : 'All steps are done. Today shows what needs you.'}
      </p>
      <ol className={classes.steps}>
        {steps.map(({ key, state }) => {
          const { title, says, act, to } = STEP_WORDS[key];
          return (
            <li key={key} data-state={state}>
              {SIGNS[state]}
              <div>
                <p className={classes.title}>{title}</p>
                <p className={classes.says}>{says[state]}</p>
              </div>
              <Button
                variant={state === 'done' ? 'subtle' : 'default'}
                color={state === 'done' ? 'gray' : 'lead'}
                size="compact-sm"
                component={Link}
                to={to}
                aria-label={state === 'open' ? act : `Open: ${title}`}
              >
                {state === 'open' ? act : 'Open'}
              </Button>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function Samples({ stand }: { stand: boolean }) {
  const done = { onSuccess: () => void staleAll() };
  const make = useAct('sample_create', {
    ...done,
    says: 'Sample data is here: look at Today, Review and Inbox.',
  });
  const remove = useAct('sample_delete', { ...done, says: 'The sample data is gone.' });
  const ask = async (): Promise<void> => {
    const yes = await confirm({
      title: 'Remove the sample data?',
      says: 'All of it goes, also what you edited in it, and the letters, answers and cards that were made in it since. Nothing else is touched.',
      act: 'Remove sample data',
      tone: 'bad',
    });
    if (yes) remove.mutate({});
  };
  return (
    <section aria-labelledby="samples" className={classes.card}>
      <h2 id="samples">{stand ? 'Sample data is in this instance' : 'Try it with sample data'}</h2>
      <div className={classes.samples}>
        <p className={classes.quiet}>
          {stand
            ? 'Sixty made-up people, a campaign, answers, deals and a project. None of it can leave.'
            : 'Sixty made-up people, a campaign with letters to review, answers, deals and a project. None of it can leave, and all of it goes again with one click.'}
        </p>
        {stand ? (
          <Button variant="default" loading={remove.isPending} onClick={() => void ask()}>
            Remove sample data
          </Button>
        ) : (
          <Button variant="default" loading={make.isPending} onClick={() => make.mutate({})}>
            Make sample data
          </Button>
        )}
      </div>
    </section>
  );
}
