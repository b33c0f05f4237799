// Settings › Workflows: hosts that web requests may reach, and the budget per workflow.
import { TagsInput } from '@mantine/core';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { Page, Section } from '../../../../ui/kit/page.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import { WorkflowBudgets } from './budgets.tsx';
import { WorkflowSecrets } from './secrets.tsx';

export function WorkflowHostsScreen() {
  const { data, error, refetch } = useRead('workflow_hosts', {});
  return (
    <Page crumbs={[{ title: 'Settings' }, { title: 'Workflows' }]} width="reading">
      <Section
        title="Allowed hosts"
        says="Workflows can send web requests only to these hosts. A request sends step data outside this instance."
      >
        {data ? (
          <HostsForm hosts={data.hosts} key={data.hosts.join(' ')} />
        ) : error ? (
          <Trouble error={error} again={() => void refetch()} />
        ) : (
          <Bones lines={3} height={20} />
        )}
      </Section>
      <WorkflowSecrets />
      <WorkflowBudgets />
    </Page>
  );
}

function HostsForm({ hosts }: { hosts: string[] }) {
  const save = useAct('workflow_hosts_set', { quiet: true, says: 'Allowed hosts saved.' });
  const form = useActForm({ hosts }, (values) => save.mutateAsync(values));
  return (
    <FormStack form={form} label="Hosts">
      <TagsInput
        label="Hosts"
        description="For example hooks.example.com, or with a port and path: hooks.example.com:8443/in. Press Enter to add."
        placeholder="hooks.example.com"
        acceptValueOnBlur
        error={form.errors.hosts}
        value={form.values.hosts}
        onChange={(next) => form.set('hosts', next)}
      />
      <FormEnd form={form} act="Save hosts" />
    </FormStack>
  );
}
