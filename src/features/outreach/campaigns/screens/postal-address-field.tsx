// The postal address under the letters of a campaign: one of those there are, or one that is made here.
import { Button, Select } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useRead } from '../../../../ui/client/hooks.ts';
import { AddPostalAddress } from '../../identities/screens/shared.ts';
import classes from './settings.module.css';

type FieldProps = { value: string | null; error: string | undefined; choose: (id: string | null) => void };

export function PostalAddressField({ value, error, choose }: FieldProps) {
  const [adding, setAdding] = useState(false);
  const addresses = useRead('postal_address_list', { limit: 100 }, { stale_ms: 30_000 }).data?.items ?? [];
  return (
    <div className={classes.beside}>
      <Select
        label="Postal address under each letter"
        clearable
        clearButtonProps={{ 'aria-label': 'No postal address' }}
        placeholder={addresses.length > 0 ? 'None' : 'None yet'}
        data={addresses.map(({ id, name, lines }) => ({
          value: id,
          label: `${name}: ${lines.replaceAll('\n', ', ')}`,
        }))}
        value={value}
        error={error}
        onChange={choose}
      />
      <Button variant="default" leftSection={<Plus size={15} />} onClick={() => setAdding(true)}>
        Add address
      </Button>
      {/* What is sent in it is no sending of the settings around it. */}
      <div onSubmit={(event) => event.stopPropagation()}>
        <AddPostalAddress opened={adding} close={() => setAdding(false)} made={({ id }) => choose(id)} />
      </div>
    </div>
  );
}
