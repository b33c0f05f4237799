// Secrets for headers of web requests, each for one host and never shown again.
import { ActionIcon, PasswordInput, TextInput } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { Section } from '../../../../ui/kit/page.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import type { WorkflowSecret } from '../secrets.contract.ts';

export function WorkflowSecrets() {
  const { data, error, refetch } = useRead('workflow_secrets', {});
  return (
    <Section
      title="Secrets for web requests"
      says="Use {{ secrets.name }} in a header. A secret is sent only to its host over https and is never shown again."
    >
      {data ? (
        <>
          <ul>
            {data.secrets.map((secret) => (
              <Saved key={secret.name} secret={secret} />
            ))}
          </ul>
          <SecretForm />
        </>
      ) : error ? (
        <Trouble error={error} again={() => void refetch()} />
      ) : (
        <Bones lines={3} height={20} />
      )}
    </Section>
  );
}

function Saved({ secret: { name, host } }: { secret: WorkflowSecret }) {
  const remove = useAct('workflow_secret_delete', { says: 'Secret deleted.' });
  return (
    <li>
      <code>{name}</code> for {host}{' '}
      <ActionIcon
        aria-label={`Delete ${name}`}
        loading={remove.isPending}
        onClick={() =>
          void confirm({
            title: `Delete ${name}?`,
            says: 'Workflow steps that use it will fail. This can’t be undone.',
            act: 'Delete secret',
            tone: 'bad',
          }).then((yes) => yes && remove.mutate({ name }))
        }
      >
        {' '}
        <Trash2 size={15} />{' '}
      </ActionIcon>
    </li>
  );
}

const EMPTY = { name: '', host: '', secret: '' };

function SecretForm() {
  const save = useAct('workflow_secret_set', { quiet: true, says: 'Secret saved.' });
  const form = useActForm(EMPTY, (values) => save.mutateAsync(values));
  const { values, set, errors } = form;
  return (
    <FormStack form={form} label="New secret">
      <TextInput
        label="Name"
        placeholder="crm_hook"
        value={values.name}
        onChange={(event) => set('name', event.currentTarget.value)}
        error={errors.name}
      />
      <TextInput
        label="Host"
        placeholder="hooks.example.com"
        value={values.host}
        onChange={(event) => set('host', event.currentTarget.value)}
        error={errors.host}
      />
      <PasswordInput
        label="Value"
        autoComplete="off"
        value={values.secret}
        onChange={(event) => set('secret', event.currentTarget.value)}
        error={errors.secret}
      />
      <FormEnd form={form} act="Save secret" />
    </FormStack>
  );
}
