// Adding a sending domain: its name and the servers that send for it; the records to publish are shown on its own page then.
import { Modal, TagsInput, TextInput } from '@mantine/core';
import { useAct } from '../../../../ui/client/hooks.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { useTopmost } from '../../../../ui/kit/topmost.ts';

type AddDomainProps = { opened: boolean; onClose: () => void; added: (id: string) => Promise<void> };

export function AddDomain({ opened, onClose, added }: AddDomainProps) {
  const topmost = useTopmost(opened);
  return (
    <Modal opened={opened} onClose={onClose} title="Add a sending domain" size={520} closeOnEscape={topmost}>
      <AddForm onClose={onClose} added={added} />
    </Modal>
  );
}

function AddForm({ onClose, added }: Omit<AddDomainProps, 'opened'>) {
  const create = useAct('domain_create', { quiet: true });
  const form = useActForm(
    { name: '', sending_hosts: [] as string[], spf_includes: [] as string[], dmarc_rua: '' },
    async ({ name, sending_hosts, spf_includes, dmarc_rua }) => {
      const { domain } = await create.mutateAsync({
        name: name.trim(),
        ...(sending_hosts.length ? { sending_hosts } : {}),
        ...(spf_includes.length ? { spf_includes } : {}),
        ...(dmarc_rua.trim() ? { dmarc_rua: dmarc_rua.trim() } : {}),
      });
      await added(domain.id);
    },
  );
  return (
    <FormStack form={form} label="Add a sending domain">
      <TextInput
        label="Domain"
        placeholder="mail.example.com"
        description="Use a separate domain or subdomain to protect the reputation of your main one."
        data-autofocus
        {...form.text('name')}
      />
      <TagsInput
        label="Sending servers"
        description="Host names or IP addresses. Leave empty if an email vendor sends."
        value={form.values.sending_hosts}
        error={form.errors.sending_hosts}
        onChange={(hosts) => form.set('sending_hosts', hosts)}
      />
      <TagsInput
        label="SPF includes"
        description="From your mail provider, such as _spf.example.com."
        value={form.values.spf_includes}
        error={form.errors.spf_includes}
        onChange={(names) => form.set('spf_includes', names)}
      />
      <TextInput label="Address for DMARC reports" description="Optional" {...form.text('dmarc_rua')} />
      <FormEnd form={form} act="Add domain" cancel={onClose} />
    </FormStack>
  );
}
