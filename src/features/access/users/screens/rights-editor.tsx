// The rights of one user: administrator or groups and policies, and which projects are on their board.
import { MultiSelect, Switch } from '@mantine/core';
import { useAct } from '../../../../ui/client/hooks.ts';
import { useGroupChoices, usePolicyChoices, useProjectChoices } from '../../../../ui/kit/choices.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import type { User } from '../contract.ts';

export function RightsEditor({ user }: { user: User }) {
  const groups = useGroupChoices();
  const policies = usePolicyChoices();
  const projects = useProjectChoices();
  const save = useAct('user_update', {
    quiet: true,
    says: ({ user: saved }) => `Permissions saved. They apply from ${saved.name}’s next request.`,
  });
  const form = useActForm(
    {
      admin: user.admin,
      groups: user.groups.map((group) => group.id),
      policies: user.policies,
      every: user.board.projects === null,
      projects: user.board.projects ?? [],
    },
    ({ every, projects: chosen, ...values }) =>
      save.mutateAsync({ user: user.id, ...values, projects: every ? null : chosen }),
  );
  const { values, set, errors } = form;
  return (
    <FormStack form={form} label={`Permissions of ${user.name}`}>
      <Switch
        label="Administrator"
        description="Can do everything, including minting tokens and changing permissions."
        checked={values.admin}
        onChange={(event) => set('admin', event.currentTarget.checked)}
        error={errors.admin}
      />
      {!values.admin && (
        <>
          <MultiSelect
            label="Groups"
            searchable
            data={groups}
            value={values.groups}
            onChange={(next) => set('groups', next)}
            error={errors.groups}
          />
          <MultiSelect
            label="Policies"
            searchable
            data={[...new Set([...policies, ...values.policies])]}
            value={values.policies}
            onChange={(next) => set('policies', next)}
            error={errors.policies}
          />
        </>
      )}
      <Switch
        label="All projects on their board"
        description="The board narrows what policies allow. It never adds to it."
        checked={values.every}
        onChange={(event) => set('every', event.currentTarget.checked)}
      />
      {!values.every && (
        <MultiSelect
          label="Projects"
          searchable
          placeholder={values.projects.length ? '' : 'None'}
          data={projects}
          value={values.projects}
          onChange={(next) => set('projects', next)}
          error={errors.projects}
        />
      )}
      <FormEnd form={form} act="Save permissions" />
    </FormStack>
  );
}
