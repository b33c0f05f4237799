// A new person: what one knows of them at first. What is not an address, or is someone's already, is said at its field.
import { Modal, Select, TagsInput, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { ApiError } from '../../../../ui/client/call.ts';
import { useAct } from '../../../../ui/client/hooks.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { useTopmost } from '../../../../ui/kit/topmost.ts';
import { RecordSelect } from '../../../../ui/kit/record-select.tsx';
import { BASIS, besideInput, called, type Basis } from './words.ts';
import classes from './people.module.css';

type NewProps = { opened: boolean; onClose: () => void; company?: { id: string; name: string } };

export function NewPerson({ opened, onClose, company }: NewProps) {
  const topmost = useTopmost(opened);
  return (
    <Modal opened={opened} onClose={onClose} title="New person" size={560} closeOnEscape={topmost}>
      <NewForm done={onClose} {...(company ? { company } : {})} />
    </Modal>
  );
}

function NewForm({ done, company }: { done: () => void; company?: { id: string; name: string } }) {
  const navigate = useNavigate();
  const create = useAct('person_create', {
    quiet: true,
    says: ({ person }) => `${called(person)} added.`,
  });
  const form = useActForm(
    {
      name: '',
      addresses: '',
      title: '',
      company_id: company?.id ?? (null as string | null),
      phone: '',
      country: '',
      basis: 'none' as Basis,
      basis_note: '',
      source: '',
      tags: [] as string[],
    },
    async (values) => {
      const text = (name: 'name' | 'title' | 'phone' | 'country' | 'source' | 'basis_note') =>
        values[name].trim() ? { [name]: values[name].trim() } : {};
      const { person } = await create
        .mutateAsync({
          ...text('name'),
          ...text('title'),
          ...text('phone'),
          ...text('source'),
          ...text('basis_note'),
          ...(values.country.trim() ? { country: values.country.trim().toUpperCase() } : {}),
          ...(values.addresses.trim() ? { addresses: [{ value: values.addresses.trim() }] } : {}),
          ...(values.company_id ? { company_id: values.company_id } : {}),
          ...(values.tags.length > 0 ? { tags: values.tags } : {}),
          basis: values.basis,
        })
        .catch((error: unknown) => {
          throw error instanceof ApiError ? besideInput(error) : error;
        });
      done();
      await navigate({ to: '/people/$person', params: { person: person.id } });
    },
  );
  return (
    <FormStack form={form} label="New person">
      <div className={classes.two}>
        <TextInput label="Name" data-autofocus maxLength={200} autoComplete="off" {...form.text('name')} />
        <TextInput
          label="Address"
          placeholder="ann@example.com"
          autoComplete="off"
          {...form.text('addresses')}
        />
        <TextInput label="Title" placeholder="Head of Sales" maxLength={200} {...form.text('title')} />
        <RecordSelect
          noun="company"
          value={form.values.company_id}
          {...(company ? { known: company } : {})}
          onChange={(next) => form.set('company_id', next)}
          error={form.errors.company_id}
        />
        <TextInput label="Phone" type="tel" maxLength={60} autoComplete="off" {...form.text('phone')} />
        <TextInput label="Country" placeholder="DE" maxLength={2} {...form.text('country')} />
        <Select
          label="Basis"
          description="Your legal basis for contacting them."
          allowDeselect={false}
          data={Object.entries(BASIS).map(([value, label]) => ({ value: value as Basis, label }))}
          value={form.values.basis}
          error={form.errors.basis}
          onChange={(basis) => form.set('basis', basis ?? 'none')}
        />
        <TextInput
          label="Source"
          description="Where you got their details."
          placeholder="Spring fair"
          maxLength={120}
          {...form.text('source')}
        />
      </div>
      {form.values.basis !== 'none' && (
        <TextInput label="Note on legal basis" maxLength={1_000} {...form.text('basis_note')} />
      )}
      <TagsInput
        label="Tags"
        value={form.values.tags}
        error={form.errors.tags}
        onChange={(tags) => form.set('tags', tags)}
      />
      <FormEnd form={form} act="Add" cancel={done} />
    </FormStack>
  );
}
