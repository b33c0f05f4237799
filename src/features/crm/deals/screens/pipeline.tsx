// Settings › Pipeline: the stages that open deals are in, in order, and where the deals of a stage go that goes.
import { ActionIcon, Button, NumberInput, Select, TextInput } from '@mantine/core';
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { Page, Section } from '../../../../ui/kit/page.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import { withKeys } from '../../../../ui/kit/field-definitions.tsx';
import type { Pipeline, Stage } from '../pipeline.contract.ts';
import classes from './pipeline.module.css';

export function PipelineScreen() {
  const { data, error, refetch } = useRead('pipeline_get', {});
  return (
    <Page crumbs={[{ title: 'Settings' }, { title: 'Pipeline' }]} width="reading">
      {error ? (
        <Trouble error={error} again={() => void refetch()} />
      ) : (
        <Section
          title="Stages"
          says="The stages of open deals, in order. Deals without their own probability use the probability of their stage."
        >
          {data ? <Stages key={data.revision} pipeline={data} /> : <Bones lines={5} height={30} />}
        </Section>
      )}
    </Page>
  );
}

/** A key is drawn from the first title and stays, because deals are under it. */
const keyed = (stages: readonly Stage[]): Stage[] => {
  const keys = withKeys(stages.map(({ key, title }) => ({ key, title, kind: 'text' as const })));
  return stages.map((stage, at) => ({
    ...stage,
    title: stage.title.trim(),
    key: keys[at]?.key ?? stage.key,
  }));
};

function Stages({ pipeline }: { pipeline: Pipeline }) {
  const act = useAct('pipeline_replace', { quiet: true, says: 'Stages saved.' });
  const form = useActForm(
    { stages: pipeline.stages, move: {} as Record<string, string> },
    ({ stages, move }) => act.mutateAsync({ revision: pipeline.revision, stages: keyed(stages), move }),
  );
  const { stages, move } = form.values;
  const [focus, setFocus] = useState<number | null>(null);
  const set = (at: number, part: Partial<Stage>): void =>
    form.set(
      'stages',
      stages.map((stage, i) => (i === at ? { ...stage, ...part } : stage)),
    );
  const swap = (at: number, to: number): void => {
    const next = [...stages];
    const [one] = next.splice(at, 1);
    if (one) next.splice(to, 0, one);
    form.set('stages', next);
    setFocus(to);
  };
  const gone = pipeline.stages.filter(({ key }) => !stages.some((stage) => stage.key === key));
  const stay = stages.filter(({ key }) => key !== '');
  return (
    <FormStack form={form} label="Stages">
      <ol className={classes.stages}>
        {stages.map((stage, at) => (
          <li key={stage.key || `new-${at}`}>
            <TextInput
              aria-label={`Title of stage ${at + 1}`}
              placeholder="Title"
              maxLength={60}
              autoFocus={focus === at && stage.title === ''}
              value={stage.title}
              onChange={(event) => set(at, { title: event.currentTarget.value })}
            />
            <NumberInput
              aria-label={`Probability of stage ${at + 1}`}
              placeholder="None"
              suffix="%"
              min={0}
              max={100}
              allowDecimal={false}
              hideControls
              value={stage.probability ?? ''}
              onChange={(next) => set(at, { probability: next === '' ? null : Number(next) })}
            />
            <ActionIcon
              size={32}
              aria-label={`Move ${stage.title || 'it'} up`}
              disabled={at === 0}
              onClick={() => swap(at, at - 1)}
            >
              <ArrowUp size={15} />
            </ActionIcon>
            <ActionIcon
              size={32}
              aria-label={`Move ${stage.title || 'it'} down`}
              disabled={at === stages.length - 1}
              onClick={() => swap(at, at + 1)}
            >
              <ArrowDown size={15} />
            </ActionIcon>
            <ActionIcon
              size={32}
              aria-label={`Remove ${stage.title || 'it'}`}
              disabled={stages.length === 1}
              onClick={() =>
                form.set(
                  'stages',
                  stages.filter((_, i) => i !== at),
                )
              }
            >
              <X size={15} />
            </ActionIcon>
          </li>
        ))}
      </ol>
      {gone.map(({ key, title }) => (
        <Select
          key={key}
          label={`Move deals in ${title} to`}
          description="Required if the stage has deals, including closed ones."
          clearable
          clearButtonProps={{ 'aria-label': 'Clear the target stage' }}
          placeholder="Not needed: the stage has no deals"
          data={stay.map((stage) => ({ value: stage.key, label: stage.title || stage.key }))}
          value={move[key] ?? null}
          onChange={(to) => {
            const { [key]: _, ...rest } = move;
            form.set('move', to ? { ...rest, [key]: to } : rest);
          }}
        />
      ))}
      {(form.errors.stages ?? form.errors.move) && (
        <p role="alert" className={classes.fault}>
          {form.errors.stages ?? form.errors.move}
        </p>
      )}
      <div>
        <Button
          variant="subtle"
          color="gray"
          leftSection={<Plus size={14} />}
          disabled={stages.length >= 30}
          onClick={() => {
            form.set('stages', [...stages, { key: '', title: '', probability: null }]);
            setFocus(stages.length);
          }}
        >
          Add a stage
        </Button>
      </div>
      <FormEnd form={form} act="Save" />
    </FormStack>
  );
}
