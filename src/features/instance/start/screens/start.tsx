// Get started: setup steps with their state, and sample data.
import { Button } from '@mantine/core';
import { Circle, CircleCheck, CircleDashed } from 'lucide-react';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { staleAll } from '../../../../ui/client/topics.ts';
import { CodeBlock } from '../../../../ui/kit/code-block.tsx';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { Page } from '../../../../ui/kit/page.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import { LearnMore } from '../../../../ui/kit/learn-more.tsx';
import { StepLink } from './step-link.tsx';
import { AS_IT_STANDS, RECOMMENDED, STEP_WORDS, type StartStep } from './steps.ts';
import classes from './first-run.module.css';

export function StartScreen() {
  const read = useRead('start_get', {}, AS_IT_STANDS);
  const bring = useAct('start_dismiss', { says: 'Get started is back on Today.' });
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
      <h2 id="address">Set the public address of this instance</h2>
      <p className={classes.quiet}>
        Letters contain links to this instance, and recipients can’t open <code>{base_url}</code>. Letters are
        held until the operator restarts it with a public https address:
      </p>
      <CodeBlock label="Start command" text="SERVICE_BASE_URL=https://desk.example.com npm start" wrap />
    </section>
  );
}

const SIGNS = {
  done: <CircleCheck size={18} role="img" aria-label="Done" />,
  begun: <CircleDashed size={18} role="img" aria-label="Started" />,
  open: <Circle size={18} role="img" aria-label="To do" />,
};

function Steps({ steps }: { steps: StartStep[] }) {
  const left = steps.filter(({ state }) => state !== 'done').length;
  const needed = steps.filter(({ key }) => !RECOMMENDED.has(key));
  const sends = needed.every(({ state }) => state === 'done');
  return (
    <>
      <section aria-labelledby="steps" className={classes.card}>
        <h2 id="steps">{left === 0 ? 'All set up' : sends ? 'Ready to send' : 'Send your first letter'}</h2>
        <p className={classes.quiet}>
          {left === 0
            ? 'Setup complete. Today shows what needs your attention.'
            : sends
              ? 'Letters go out once they’re approved.'
              : 'Complete these steps in any order.'}
        </p>
        <StepList steps={needed} />
      </section>
      <section aria-labelledby="recommended" className={classes.card}>
        <h2 id="recommended">Recommended</h2>
        <p className={classes.quiet}>Letters can go out without these.</p>
        <StepList steps={steps.filter(({ key }) => RECOMMENDED.has(key))} />
      </section>
    </>
  );
}

const StepList = ({ steps }: { steps: StartStep[] }) => (
  <ol className={classes.steps}>
    {steps.map((step) => {
      const { key, state } = step;
      const { title, says, act, learn } = STEP_WORDS[key];
      const open = state === 'open';
      return (
        <li key={key} data-state={state}>
          {SIGNS[state]}
          <div>
            <p className={classes.title}>{title}</p>
            <p className={classes.says}>
              {says[state]}{' '}
              {state !== 'done' && <LearnMore page="getting-started" at={learn} about={title} />}
            </p>
          </div>
          <StepLink
            step={step}
            label={open ? act : `Open: ${title}`}
            variant={state === 'done' ? 'subtle' : 'default'}
            color={state === 'done' ? 'gray' : 'lead'}
          >
            {open ? act : 'Open'}
          </StepLink>
        </li>
      );
    })}
  </ol>
);

function Samples({ stand }: { stand: boolean }) {
  const done = { onSuccess: () => void staleAll() };
  const make = useAct('sample_create', {
    ...done,
    says: 'Sample data added. Explore Today, Review and Inbox.',
  });
  const remove = useAct('sample_delete', { ...done, says: 'Sample data removed.' });
  const ask = async (): Promise<void> => {
    const yes = await confirm({
      title: 'Remove the sample data?',
      says: 'This deletes all sample records, including your edits and any letters, replies and work items made from them. Your own data isn’t affected. This can’t be undone.',
      act: 'Remove sample data',
      tone: 'bad',
    });
    if (yes) remove.mutate({});
  };
  return (
    <section aria-labelledby="samples" className={classes.card}>
      <h2 id="samples">{stand ? 'Sample data is on' : 'Try Dunnock with sample data'}</h2>
      <div className={classes.samples}>
        <p className={classes.quiet}>
          {stand
            ? '60 made-up people with a campaign, replies, deals and a project. None of the letters can be sent.'
            : 'Explore with 60 made-up people, a campaign with letters to review, replies, deals and a project. None of the letters can be sent. You can remove all of it at any time.'}
        </p>
        {stand ? (
          <Button variant="default" loading={remove.isPending} onClick={() => void ask()}>
            Remove sample data
          </Button>
        ) : (
          <Button variant="default" loading={make.isPending} onClick={() => make.mutate({})}>
            Add sample data
          </Button>
        )}
      </div>
    </section>
  );
}
