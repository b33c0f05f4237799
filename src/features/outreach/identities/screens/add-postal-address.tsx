// Adding a postal address: under Settings, and from a campaign that needs one.
import { Modal, Textarea, TextInput } from '@mantine/core';
import { useAct } from '../../../../ui/client/hooks.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { useTopmost } from '../../../../ui/kit/topmost.ts';
import type { PostalAddress } from '../postal.contract.ts';
import classes from './identities.module.css';

type AddProps = { opened: boolean; close: () => void; made?: (address: PostalAddress) => void };

export function AddPostalAddress({ opened, ...rest }: AddProps) {
  const topmost = useTopmost(opened);
  return (
    <Modal opened={opened} onClose={rest.close} title="Add a postal address" closeOnEscape={topmost}>
      <AddForm {...rest} />
    </Modal>
  );
}

function AddForm({ close, made }: Omit<AddProps, 'opened'>) {
  const create = useAct('postal_address_create', { quiet: true, says: 'Postal address added' });
  const form = useActForm({ name: '', lines: '' }, async (values) => {
    const { postal_address } = await create.mutateAsync(values);
    made?.(postal_address);
    close();
  });
  return (
    <FormStack form={form} label="Add a postal address">
      <TextInput
        label="Name"
        description="For your team, such as Office."
        data-autofocus
        {...form.text('name')}
      />
      <Textarea
        label="Address"
        description="As it appears below letters, including the sender’s name or company."
        placeholder={'Example Ltd\n1 Sample Street\n12345 Sampletown'}
        autosize
        minRows={3}
        className={classes.lines ?? ''}
        {...form.text('lines')}
      />
      <FormEnd form={form} act="Add" cancel={close} />
    </FormStack>
  );
}
