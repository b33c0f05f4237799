// A new company: its name and the domain of its addresses.
import { Modal, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useAct } from '../../../../ui/client/hooks.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { useTopmost } from '../../../../ui/kit/topmost.ts';

export function NewCompany({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const topmost = useTopmost(opened);
  return (
    <Modal opened={opened} onClose={onClose} title="New company" size={440} closeOnEscape={topmost}>
      <NewForm done={onClose} />
    </Modal>
  );
}

function NewForm({ done }: { done: () => void }) {
  const navigate = useNavigate();
  const create = useAct('company_create', {
    quiet: true,
    says: ({ company }) => `${company.name} added.`,
  });
  const form = useActForm({ name: '', domain: '', country: '', size: '' }, async (values) => {
    const { company } = await create.mutateAsync({
      name: values.name,
      ...(values.domain.trim() ? { domain: values.domain.trim() } : {}),
      ...(values.country.trim() ? { country: values.country.trim().toUpperCase() } : {}),
      ...(values.size.trim() ? { size: values.size.trim() } : {}),
    });
    done();
    await navigate({ to: '/companies/$company', params: { company: company.id } });
  });
  return (
    <FormStack form={form} label="New company">
      <TextInput label="Name" data-autofocus maxLength={200} {...form.text('name')} />
      <TextInput
        label="Domain"
        description="The part after the @ in its email addresses."
        placeholder="example.com"
        autoComplete="off"
        {...form.text('domain')}
      />
      <TextInput label="Country" placeholder="DE" maxLength={2} {...form.text('country')} />
      <TextInput label="Size" placeholder="11–50" maxLength={60} {...form.text('size')} />
      <FormEnd form={form} act="Add" cancel={done} />
    </FormStack>
  );
}
