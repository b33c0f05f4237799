// Form that adds a tool server by its address. Refusals of the address guard are shown at the field.
import { Modal, PasswordInput, Radio, TextInput } from '@mantine/core';
import { useAct } from '../../../../ui/client/hooks.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { useTopmost } from '../../../../ui/kit/topmost.ts';
import { Limits } from './limits.tsx';
import classes from './capabilities.module.css';

type AddProps = { opened: boolean; onClose: () => void; added: (id: string) => Promise<void> };

export function AddCapability({ opened, onClose, added }: AddProps) {
  const topmost = useTopmost(opened);
  return (
    <Modal opened={opened} onClose={onClose} title="Add tool server" size={560} closeOnEscape={topmost}>
      <AddForm onClose={onClose} added={added} />
    </Modal>
  );
}

/** What its name could be, from the address: the first label that says something. */
function proposed(url: string): string {
  const host = URL.parse(url.trim())?.hostname ?? '';
  const label = host.split('.').find((part) => !/^(?:www|mcp|api|\d+)$/.test(part)) ?? '';
  return label
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, '')
    .replace(/^[^a-z]+/, '')
    .slice(0, 20);
}

function AddForm({ onClose, added }: Omit<AddProps, 'opened'>) {
  const create = useAct('capability_create', { quiet: true });
  const refresh = useAct('capability_refresh');
  const form = useActForm(
    { url: '', name: '', title: '', auth: 'oauth', client_id: '', client_secret: '' },
    async ({ url, name, title, auth, client_id, client_secret }) => {
      const made = await create.mutateAsync({
        url: url.trim(),
        name: name.trim() || proposed(url),
        ...(title.trim() && { title: title.trim() }),
        auth: auth === 'none' ? 'none' : 'oauth',
        ...(auth === 'oauth' && client_id.trim() && { client_id: client_id.trim() }),
        ...(auth === 'oauth' && client_secret && { client_secret }),
      });
      if (made.auth === 'none') refresh.mutate({ capability: made.id });
      await added(made.id);
    },
  );
  const { values, set } = form;
  return (
    <FormStack form={form} label="Add tool server">
      <TextInput
        label="Address"
        description="The server’s MCP endpoint URL. Private networks aren’t allowed."
        placeholder="https://mcp.example.com/mcp"
        type="url"
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        {...form.text('url')}
      />
      <TextInput
        label="Name"
        description="The prefix of its tool names. Use lowercase letters, digits and hyphens. You can’t change it later."
        placeholder={proposed(values.url) || 'calendar'}
        autoComplete="off"
        spellCheck={false}
        {...form.text('name')}
      />
      <TextInput
        label="Title"
        description="The name people see. Leave empty to use the name above."
        {...form.text('title')}
      />
      <Radio.Group label="Sign-in" value={values.auth} onChange={(auth) => set('auth', auth)}>
        <div className={classes.choices}>
          <Radio value="oauth" label="Each person signs in" />
          <Radio value="none" label="No sign-in needed" />
        </div>
      </Radio.Group>
      {values.auth === 'oauth' && (
        <details className={classes.more}>
          <summary>The server gave you a client ID</summary>
          <div className={classes.moreFields}>
            <TextInput
              label="Client ID"
              description="Only needed if the server’s operator registered this instance manually."
              autoComplete="off"
              spellCheck={false}
              {...form.text('client_id')}
            />
            <PasswordInput
              label="Client secret"
              description="Stored encrypted and never shown again."
              autoComplete="off"
              {...form.text('client_secret')}
            />
          </div>
        </details>
      )}
      <Limits />
      <FormEnd form={form} act="Add server" cancel={onClose} />
    </FormStack>
  );
}
