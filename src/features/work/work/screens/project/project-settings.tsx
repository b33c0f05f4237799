// A project's settings in a drawer: what it is, who leads it and belongs to it, how much may wait for review, and the words of
// its board: labels, column titles, fields of its own.
import { MultiSelect, NumberInput, Select, Switch, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useAct, useRead } from '../../../../../ui/client/hooks.ts';
import { DetailDrawer } from '../../../../../ui/kit/detail-drawer.tsx';
import { FormEnd, FormPairs, FormStack, useActForm } from '../../../../../ui/kit/form.tsx';
import { STATUS, STATUSES } from '../../../../../ui/kit/pills.tsx';
import { Bones, Trouble } from '../../../../../ui/kit/states.tsx';
import type { Project, Status } from '../../contract.ts';
import { FieldDefinitions, FieldGroup, withKeys } from '../../../../../ui/kit/field-definitions.tsx';

export function ProjectSettings({ project, close }: { project: string; close: () => void }) {
  const { data, error, refetch } = useRead('project_get', { project });
  return (
    <DetailDrawer opened onClose={close} title={`${project} settings`} size={560}>
      {data ? (
        <SettingsForm project={data.project} close={close} />
      ) : error ? (
        <Trouble error={error} again={() => void refetch()} />
      ) : (
        <Bones lines={8} height={28} />
      )}
    </DetailDrawer>
  );
}

function SettingsForm({ project, close }: { project: Project; close: () => void }) {
  const save = useAct('project_update', { quiet: true, says: `${project.key} saved.` });
  const people = (useRead('assignee_list', { limit: 200 }, { stale_ms: 120_000 }).data?.items ?? [])
    .filter((who) => who.kind === 'person')
    .map((who) => ({ value: who.id, label: who.name }));
  const {
    name,
    description,
    lead,
    members,
    review_limit,
    default_needs_review,
    labels,
    custom_fields,
    column_titles,
  } = project;
  const form = useActForm(
    {
      name,
      description,
      lead,
      members,
      review_limit,
      default_needs_review,
      labels,
      custom_fields,
      column_titles,
    },
    async (values) => {
      const titles = Object.entries(values.column_titles).filter(([, title]) => title.trim());
      await save.mutateAsync({
        project: project.key,
        revision: project.revision,
        ...values,
        custom_fields: withKeys(values.custom_fields),
        column_titles: Object.fromEntries(titles),
      });
      close();
    },
  );
  const titled = (status: Status, title: string): void =>
    form.set('column_titles', { ...form.values.column_titles, [status]: title });
  return (
    <FormStack form={form} label="Project settings">
      <TextInput label="Name" maxLength={80} {...form.text('name')} />
      <Textarea
        label="Description"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={10_000}
        {...form.text('description')}
      />
      <Select
        label="Lead"
        clearable
        searchable
        placeholder="Unassigned"
        clearButtonProps={{ 'aria-label': 'Remove lead' }}
        data={people}
        value={form.values.lead}
        error={form.errors.lead}
        onChange={(next) => form.set('lead', next)}
      />
      <MultiSelect
        label="Members"
        searchable
        placeholder={form.values.members.length ? '' : 'No one yet'}
        data={people}
        value={form.values.members}
        error={form.errors.members}
        onChange={(next) => form.set('members', next)}
      />
      <NumberInput
        label="Review limit"
        description="Agents stop claiming work here while this many items are in review."
        min={1}
        max={1000}
        value={form.values.review_limit}
        error={form.errors.review_limit}
        onChange={(next) => form.set('review_limit', Number(next))}
      />
      <Switch
        label="New items need a review"
        description="People’s items also need approval before they are done. Agents’ items always do."
        checked={form.values.default_needs_review}
        onChange={(event) => form.set('default_needs_review', event.currentTarget.checked)}
      />
      <TagsInput
        label="Labels"
        maxTags={100}
        value={form.values.labels}
        error={form.errors.labels}
        onChange={(next) => form.set('labels', next)}
      />
      <FieldGroup title="Column titles">
        <FormPairs tight>
          {STATUSES.map((status) => (
            <TextInput
              key={status}
              aria-label={`Title of ${STATUS[status].title}`}
              placeholder={STATUS[status].title}
              maxLength={40}
              value={form.values.column_titles[status] ?? ''}
              onChange={(event) => titled(status, event.currentTarget.value)}
            />
          ))}
        </FormPairs>
      </FieldGroup>
      <FieldDefinitions
        fields={form.values.custom_fields}
        error={form.errors.custom_fields}
        change={(next) => form.set('custom_fields', next)}
      />
      <FormEnd form={form} act="Save" cancel={close} />
    </FormStack>
  );
}
