// Settings › Postal addresses: who is behind the letters and where they can be written to on paper, as the law asks.
import { Button } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { MapPin, Plus } from 'lucide-react';
import { useAct, usePages } from '../../../../ui/client/hooks.ts';
import { DataList, type Column } from '../../../../ui/kit/data-list.tsx';
import { DeleteButton } from '../../../../ui/kit/delete-button.tsx';
import { Offered, Page } from '../../../../ui/kit/page.tsx';
import { Empty } from '../../../../ui/kit/states.tsx';
import type { PostalAddress } from '../postal.contract.ts';
import { AddPostalAddress } from './add-postal-address.tsx';

const COLUMNS: Column<PostalAddress>[] = [
  { key: 'name', title: 'Name', width: '30%', cell: (row) => <strong>{row.name}</strong> },
  { key: 'lines', title: 'Address', cell: (row) => row.lines.replaceAll('\n', ', ') },
  { key: 'remove', title: 'Delete', width: '132px', bare: true, cell: (row) => <Remove row={row} /> },
];

function Remove({ row }: { row: PostalAddress }) {
  const remove = useAct('postal_address_delete', { says: `${row.name} deleted` });
  return (
    <DeleteButton
      title={`Delete ${row.name}?`}
      says="Campaigns can’t use a deleted address. An address in use can’t be deleted."
      busy={remove.isPending}
      onDelete={() => remove.mutate({ postal_address: row.id })}
    />
  );
}

export function PostalAddressesScreen() {
  const search = useSearch({ from: '/desk/settings/postal-addresses' });
  const navigate = useNavigate({ from: '/settings/postal-addresses' });
  const pages = usePages('postal_address_list', { limit: 100 });
  const show = (to: string | undefined): void =>
    void navigate({ search: (before) => ({ ...before, new: to }), replace: true });
  const add = (
    <Button leftSection={<Plus size={15} />} onClick={() => show('postal')}>
      Add postal address
    </Button>
  );
  return (
    <Page crumbs={[{ title: 'Settings' }, { title: 'Postal addresses' }]} actions={add}>
      <DataList
        label="Postal addresses"
        columns={COLUMNS}
        pages={pages}
        rowKey={(row) => row.id}
        empty={
          <Empty icon={MapPin} title="No postal addresses yet" action={add}>
            Most countries require a postal address under each letter. Add yours, then choose it in each
            campaign.
          </Empty>
        }
      />
      <Offered>
        <AddPostalAddress opened={search.new === 'postal'} close={() => show(undefined)} />
      </Offered>
    </Page>
  );
}
