// Walks the workflow as it is saved, with every act rehearsed, and shows what each step would do.
import { Checkbox, Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Answer, call } from '../../../../../ui/client/call.ts';
import { FormEnd, FormStack, useActForm } from '../../../../../ui/kit/form.tsx';
import { Pill, type Tone } from '../../../../../ui/kit/pills.tsx';
import { useTopmost } from '../../../../../ui/kit/topmost.ts';
import type { Workflow } from '../../contract.ts';
import { asDraft, askedOfTrigger } from '../editor/draft.rules.ts';
import { TEST } from '../words.ts';
import classes from '../workflow.module.css';

type TestProps = { opened: boolean; workflow: Workflow; close: () => void };
type Tested = Answer<'workflow_test'>;

export function TestRun({ opened, workflow, close }: TestProps) {
  const topmost = useTopmost(opened);
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={TEST.title(workflow.name)}
      size={640}
      closeOnEscape={topmost}
    >
      <Testing workflow={workflow} close={close} />
    </Modal>
  );
}

function Testing({ workflow, close }: Omit<TestProps, 'opened'>) {
  const [tested, setTested] = useState<Tested | null>(null);
  const asked = askedOfTrigger(asDraft(workflow).steps);
  const form = useActForm(
    { ...Object.fromEntries(asked.map((name) => [`of_${name}`, ''])), approve: true } as Record<
      string,
      string | boolean
    >,
    async (values) => {
      const given = asked
        .map((name) => [name, values[`of_${name}`] ?? ''] as const)
        .filter(([, value]) => value !== '');
      // Without values of its own it is set off as the newest run was.
      const trigger = given.length > 0 ? { trigger: Object.fromEntries(given) } : {};
      setTested(
        await call('workflow_test', {
          workflow: workflow.id,
          approve: values['approve'] === true,
          ...trigger,
        }),
      );
    },
    { passing: true },
  );
  const asksPerson = workflow.steps.some(({ kind }) => kind === 'ask_person');
  return (
    <div className={classes.tested}>
      <FormStack form={form} label={TEST.act}>
        <p className={classes.says}>{TEST.says}</p>
        {asked.map((name, at) => (
          <TextInput
            key={name}
            label={name}
            data-autofocus={at === 0 || undefined}
            description={at === 0 ? TEST.values : undefined}
            name={`of_${name}`}
            value={String(form.values[`of_${name}`] ?? '')}
            onChange={(event) => form.set(`of_${name}`, event.currentTarget.value)}
          />
        ))}
        {asksPerson && (
          <Checkbox
            label={TEST.approve}
            checked={form.values['approve'] === true}
            onChange={(event) => form.set('approve', event.currentTarget.checked)}
          />
        )}
        <FormEnd form={form} act={tested ? TEST.again : TEST.act} cancel={close} />
      </FormStack>
      {tested && <Steps tested={tested} />}
    </div>
  );
}

const CAME: Record<Tested['steps'][number]['came'], { tone: Tone; title: string }> = {
  done: { tone: 'good', title: TEST.done },
  failed: { tone: 'bad', title: TEST.failed },
  skipped: { tone: 'mute', title: TEST.skipped },
};

function Steps({ tested: { steps, ended } }: { tested: Tested }) {
  return (
    <section aria-label={TEST.result} role="status">
      <p className={classes.says}>{TEST.ended[ended]}</p>
      <ol className={classes.testedSteps}>
        {steps.map(({ step, name, came, says, changes, events, needs }, at) => (
          <li key={`${step} ${at}`}>
            <span className={classes.testedName}>
              <Pill tone={CAME[came].tone}>{CAME[came].title}</Pill> {name}
            </span>
            {changes.length + events.length > 0 && (
              <span>
                {[
                  ...changes.map(({ what, count }) => `${count.toLocaleString('en')} ${what}`),
                  ...events.map(({ kind, count }) => `${count.toLocaleString('en')} ${kind}`),
                ].join(', ')}
              </span>
            )}
            {says && <span className={classes.says}>{says.charAt(0).toUpperCase() + says.slice(1)}</span>}
            {needs.includes('wire') && <span className={classes.says}>{TEST.needs_wire}</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}
