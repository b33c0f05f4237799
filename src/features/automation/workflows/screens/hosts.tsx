// Settings › Workflows: the hosts that web requests of workflows may reach, and what one workflow may take.
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
        title="Hosts that workflows may reach"
        says="A web request of a workflow goes to a host of this list or to none. What stands in the step leaves this instance."
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
  const save = useAct('workflow_hosts_set', { quiet: true, says: 'The list of hosts is saved.' });
  const form = useActForm({ hosts }, (values) => save.mutateAsync(values));
  return (
    <FormStack form={form} label="Hosts">
      <TagsInput
        label="Hosts"
        description="A host such as hooks.example.com, or with a port and a path such as hooks.example.com:8443/in. Enter adds one."
        placeholder="hooks.example.com"
        acceptValueOnBlur
        error={form.errors.hosts}
        value={form.values.hosts}
        onChange={(next) => form.set('hosts', next)}
      />
      <FormEnd form={form} act="Save the list" />
    </FormStack>
  );
}
