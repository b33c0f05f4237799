// Drawer of one agent, or a new one: name, instructions, model and tools.
import { MultiSelect, SegmentedControl, Select, Textarea, TextInput } from '@mantine/core';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { RecordDrawer, RemoveButton } from '../../../../ui/kit/record-drawer.tsx';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import type { Agent } from '../contract.ts';
import { builtInStays } from '../rules.ts';
import { Allowed } from './allowed.tsx';
import { useModelChoices } from './model-choices.ts';
import classes from './agents.module.css';

type AgentDrawerProps = { agent: Agent | null; edits: boolean; opened: boolean; onClose: () => void };

export function AgentDrawer({ agent, edits, opened, onClose }: AgentDrawerProps) {
  return (
    <RecordDrawer
      record={agent}
      opened={opened}
      onClose={onClose}
      id={({ id }) => id}
      title={({ name }) => name}
      making={{ title: 'New agent', body: <AgentForm agent={null} edits={edits} done={onClose} /> }}
      size={560}
    >
      {(one) => <AgentForm agent={one} edits={edits} done={onClose} />}
    </RecordDrawer>
  );
}

function AgentForm({ agent, edits, done }: { agent: Agent | null; edits: boolean; done: () => void }) {
  const create = useAct('agent_create', {
    quiet: true,
    says: ({ agent: made }) => `Agent created. Anyone with chat access can use ${made.name}.`,
    onSuccess: done,
  });
  const update = useAct('agent_update', {
    quiet: true,
    says: ({ agent: saved }) => `${saved.name} saved. Changes apply from its next step.`,
    onSuccess: done,
  });
  const form = useActForm(
    {
      name: agent?.name ?? '',
      instructions: agent?.instructions ?? '',
      model: agent?.model ?? null,
      tools: agent?.tools ?? null,
    },
    (values) =>
      agent
        ? update.mutateAsync({ agent: agent.id, revision: agent.revision, ...values })
        : create.mutateAsync(values),
  );
  const { values, set, errors } = form;
  const models = useModelChoices(values.model);
  return (
    <>
      <FormStack form={form} label={agent ? `Agent ${agent.name}` : 'New agent'}>
        <TextInput label="Name" autoComplete="off" data-autofocus readOnly={!edits} {...form.text('name')} />
        <Textarea
          label="Instructions"
          description="Added to the built-in rules at every step."
          autosize
          minRows={4}
          maxRows={14}
          readOnly={!edits}
          {...form.text('instructions')}
        />
        <Select
          label="Model"
          placeholder="Default model"
          data={models}
          value={values.model}
          onChange={(next) => set('model', next)}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Use default model' }}
          readOnly={!edits}
          error={errors.model}
        />
        <ToolChoice
          tools={values.tools}
          change={(next) => set('tools', next)}
          edits={edits}
          error={errors.tools}
        />
        {edits && <FormEnd form={form} act={agent ? 'Save' : 'Create agent'} />}
      </FormStack>
      {agent && <Allowed agent={agent} edits={edits} />}
      {agent && edits && <Remove agent={agent} done={done} />}
    </>
  );
}

type ToolChoiceProps = {
  tools: string[] | null;
  change: (tools: string[] | null) => void;
  edits: boolean;
  error: string | undefined;
};

/** All of the instance's own, or these alone; another party's tools are had by name alone. */
function ToolChoice({ tools, change, edits, error }: ToolChoiceProps) {
  const { data } = useRead('agent_tools', {}, { stale_ms: 60_000 });
  const items = data?.items ?? [];
  const words = new Map(items.map((each) => [each.name, each]));
  const unknown = tools?.filter((name) => !words.has(name)) ?? [];
  const groups = [...Map.groupBy(items, ({ party }) => party ?? 'This instance')].map(([group, of]) => ({
    group,
    items: of.map(({ name, title }) => ({ value: name, label: title })),
  }));
  const missing = { group: 'Unavailable', items: unknown.map((name) => ({ value: name, label: name })) };
  return (
    <div className={classes.tools} role="group" aria-labelledby="tools-title">
      <p id="tools-title">Tools</p>
      <SegmentedControl
        aria-labelledby="tools-title"
        value={tools === null ? 'all' : 'some'}
        readOnly={!edits}
        onChange={(next) => change(next === 'all' ? null : (tools ?? []))}
        data={[
          { value: 'all', label: 'All tools of this instance' },
          { value: 'some', label: 'Selected tools' },
        ]}
      />
      {tools !== null && (
        <MultiSelect
          aria-label="Allowed tools"
          placeholder={tools.length === 0 ? 'No tools: chat only' : ''}
          data={unknown.length > 0 ? [...groups, missing] : groups}
          value={tools}
          onChange={change}
          searchable
          hidePickedOptions
          maxDropdownHeight={280}
          readOnly={!edits}
          error={error}
          renderOption={({ option }) => (
            <span className={classes.option}>
              <span>
                <bdi>{option.label}</bdi>
              </span>
              <span>{words.get(option.value)?.says}</span>
            </span>
          )}
        />
      )}
      {tools === null && error !== undefined && <p className={classes.error}>{error}</p>}
    </div>
  );
}

function Remove({ agent, done }: { agent: Agent; done: () => void }) {
  const remove = useAct('agent_delete', { says: `${agent.name} deleted.`, onSuccess: done });
  return (
    <RemoveButton
      word="Delete agent"
      question={{
        title: `Delete ${agent.name}?`,
        says: 'Its conversations are kept and continue with the built-in agent. This can’t be undone.',
        act: 'Delete agent',
      }}
      closed={agent.built_in ? builtInStays(agent.name) : null}
      busy={remove.isPending}
      remove={() => remove.mutate({ agent: agent.id })}
    />
  );
}
