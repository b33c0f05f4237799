// A new deal with what matters at once: its name, what it is worth, its stage, whose it is, and whom it is with.
import { Autocomplete, Modal, Select, TextInput } from '@mantine/core';
import { useAct } from '../../../../ui/client/hooks.ts';
import { ApiError } from '../../../../ui/client/call.ts';
import { useMe } from '../../../../ui/client/session.ts';
import { FormEnd, FormPairs, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { RecordSelect } from '../../../../ui/kit/record-select.tsx';
import { amountOf, CURRENCIES } from './money.rules.ts';
import { useOwners, useStages } from './words.ts';

type NewDealProps = { person: string | null; company: string | null; close: () => void };

export function NewDeal({ person, company, close }: NewDealProps) {
  const me = useMe();
  const stages = useStages();
  const owners = useOwners();
  const create = useAct('deal_create', {
    quiet: true,
    says: ({ deal }) => `${deal.name} created.`,
  });
  const form = useActForm(
    {
      name: '',
      amount: '',
      currency: 'EUR',
      stage: null as string | null,
      expected_on: '',
      owner: me.principal.id as string | null,
      person_id: person,
      company_id: company,
    },
    async ({ name, amount: typed, currency: code, stage, expected_on, owner, person_id, company_id }) => {
      const currency = code.trim().toUpperCase();
      const amount = /^[A-Z]{3}$/.test(currency) ? amountOf(typed, currency) : null;
      if (amount === undefined)
        throw new ApiError(400, 'invalid', 'Enter a valid amount.', {
          fields: { amount: 'amount: must be a number, such as 1250 or 1250.50' },
        });
      await create.mutateAsync({
        name,
        ...(typed.trim() !== '' && { amount, currency }),
        ...(stage && { stage }),
        ...(expected_on && { expected_on }),
        owner,
        person_id,
        company_id,
      });
      close();
    },
  );
  return (
    <Modal opened onClose={close} title="New deal" size={560}>
      <FormStack form={form} label="New deal">
        <TextInput
          label="Name"
          data-autofocus
          maxLength={200}
          placeholder="Forty seats for Roe & Sons"
          {...form.text('name')}
        />
        <FormPairs>
          <TextInput label="Amount" inputMode="decimal" placeholder="None yet" {...form.text('amount')} />
          <Autocomplete
            label="Currency"
            maxLength={3}
            data={[...CURRENCIES]}
            value={form.values.currency}
            error={form.errors.currency}
            onChange={(currency) => form.set('currency', currency)}
          />
          <Select
            label="Stage"
            placeholder="The first"
            data={stages.map(({ key, title }) => ({ value: key, label: title }))}
            value={form.values.stage}
            error={form.errors.stage}
            onChange={(stage) => form.set('stage', stage)}
          />
          <TextInput label="Expected close" type="date" {...form.text('expected_on')} />
          <RecordSelect
            noun="person"
            value={form.values.person_id}
            error={form.errors.person_id}
            onChange={(id) => form.set('person_id', id)}
          />
          <RecordSelect
            noun="company"
            value={form.values.company_id}
            error={form.errors.company_id}
            onChange={(id) => form.set('company_id', id)}
          />
          <Select
            label="Owner"
            clearable
            searchable
            placeholder="No owner"
            clearButtonProps={{ 'aria-label': 'Remove owner' }}
            data={owners.map(({ id, name }) => ({ value: id, label: name }))}
            value={form.values.owner}
            error={form.errors.owner}
            onChange={(owner) => form.set('owner', owner)}
          />
        </FormPairs>
        <FormEnd form={form} act="Create" cancel={close} />
      </FormStack>
    </Modal>
  );
}
