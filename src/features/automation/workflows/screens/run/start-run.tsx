// Form that starts a run by hand, with the values its steps use.
import { Modal, Textarea, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useAct } from '../../../../../ui/client/hooks.ts';
import { FormEnd, FormStack, useActForm } from '../../../../../ui/kit/form.tsx';
import { useTopmost } from '../../../../../ui/kit/topmost.ts';
import type { Workflow } from '../../contract.ts';
import { asDraft, askedOfTrigger } from '../editor/draft.rules.ts';
import classes from '../workflow.module.css';

type StartProps = { opened: boolean; workflow: Workflow; close: () => void };

export function StartRun({ opened, workflow, close }: StartProps) {
  const topmost = useTopmost(opened);
  return (
    <Modal opened={opened} onClose={close} title={`Run ${workflow.name}`} size={480} closeOnEscape={topmost}>
      <Starting workflow={workflow} close={close} />
    </Modal>
  );
}

function Starting({ workflow, close }: Omit<StartProps, 'opened'>) {
  const navigate = useNavigate();
  const start = useAct('run_start', { quiet: true });
  const asked = askedOfTrigger(asDraft(workflow).steps);
  const form = useActForm(
    { ...Object.fromEntries(asked.map((name) => [`of_${name}`, ''])), inputs: '' } as Record<string, string>,
    async (values) => {
      const given = asked.map((name) => [name, values[`of_${name}`] ?? ''] as const);
      const inputs = Object.fromEntries([
        ...given.filter(([, value]) => value !== ''),
        ...pairsIn(values['inputs'] ?? ''),
      ]);
      const { run } = await start.mutateAsync({ workflow: workflow.id, inputs });
      await navigate({ to: '/workflows/runs/$run', params: { run: run.id }, ignoreBlocker: true });
    },
  );
  const saved = workflow.active_version === workflow.version;
  return (
    <FormStack form={form} label="Start a run">
      <p className={classes.says}>
        Version {workflow.active_version} runs{' '}
        {saved ? '' : `, without the unactivated changes in version ${workflow.version}`}. It can do what both{' '}
        {workflow.runs_as?.name ?? 'the person who activated it'} and you can do.
      </p>
      {asked.map((name, at) => (
        <TextInput
          key={name}
          label={name}
          data-autofocus={at === 0 || undefined}
          description={`Used by steps as {{ trigger.${name} }}`}
          {...form.text(`of_${name}`)}
        />
      ))}
      <Textarea
        label={asked.length > 0 ? 'Other values' : 'Values'}
        description="Optional. One per line, as name: value."
        autosize
        minRows={2}
        maxRows={10}
        classNames={{ input: classes.code ?? '' }}
        {...form.text('inputs')}
      />
      <FormEnd form={form} act="Run now" cancel={close} />
    </FormStack>
  );
}

const pairsIn = (text: string): [string, string][] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [name = '', ...said] = line.split(':');
      return [name.trim(), said.join(':').trim()];
    });
