// A deal at the side of the board or the list it was opened from.
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Maximize2 } from 'lucide-react';
import { useRead } from '../../../../ui/client/hooks.ts';
import { DetailDrawer } from '../../../../ui/kit/detail-drawer.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import { DealView } from './deal-view.tsx';

export function DealDrawer({ id, close }: { id: string; close: () => void }) {
  const { data, error, refetch } = useRead('deal_get', { deal: id });
  const deal = data?.deal;
  return (
    <DetailDrawer title={deal?.name ?? 'Deal'} opened onClose={close} size={540}>
      {deal ? (
        <>
          <Button
            component={Link}
            to={`/deals/${id}`}
            variant="subtle"
            color="gray"
            size="compact-sm"
            leftSection={<Maximize2 size={14} />}
          >
            Open as a page
          </Button>
          <DealView key={deal.id} deal={deal} gone={close} narrow />
        </>
      ) : error ? (
        <Trouble error={error} again={() => void refetch()} />
      ) : (
        <Bones lines={6} />
      )}
    </DetailDrawer>
  );
}
