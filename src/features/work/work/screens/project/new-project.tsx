// A new project: a name, and the key that begins the keys of its items; the key is proposed from the name until it is typed.
import { Modal, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useAct } from '../../../../../ui/client/hooks.ts';
import { FormEnd, FormStack, useActForm } from '../../../../../ui/kit/form.tsx';

const proposed = (name: string): string =>
  name
    .normalize('NFKD')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .replace(/^[0-9]+/, '')
    .slice(0, 4);

export function NewProject({ opened, close }: { opened: boolean; close: () => void }) {
  return (
    <Modal opened={opened} onClose={close} title="New project" size={440}>
      <ProjectForm close={close} />
    </Modal>
  );
}

function ProjectForm({ close }: { close: () => void }) {
  const navigate = useNavigate();
  const create = useAct('project_create', { quiet: true });
  const form = useActForm({ name: '', key: '', typed: false }, async ({ name, key }) => {
    const { project } = await create.mutateAsync({ name, key });
    await navigate({ to: '/work/$project', params: { project: project.key } });
  });
  return (
    <FormStack form={form} label="New project">
      <TextInput
        label="Name"
        data-autofocus
        maxLength={80}
        placeholder="Spring outreach"
        {...form.text('name')}
        onChange={(event) => {
          const name = event.currentTarget.value;
          form.set('name', name);
          if (!form.values.typed) form.set('key', proposed(name));
        }}
      />
      <TextInput
        label="Key"
        description={`Starts every item’s key, such as ${form.values.key || 'OUT'}-12. It can’t be changed later.`}
        maxLength={10}
        {...form.text('key')}
        onChange={(event) => {
          form.set('key', event.currentTarget.value.toUpperCase());
          form.set('typed', true);
        }}
      />
      <FormEnd form={form} act="Create" cancel={close} />
    </FormStack>
  );
}
