// A deal's own page.
import { ActionIcon, Tooltip } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Link2 } from 'lucide-react';
import { useRead } from '../../../../ui/client/hooks.ts';
import { tell } from '../../../../ui/client/toast.ts';
import { useKeys } from '../../../../ui/kit/keys.ts';
import { Page } from '../../../../ui/kit/page.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import { HistoryLink } from '../../../access/audit/screens/shared.ts';
import { DealView } from './deal-view.tsx';
import classes from './deal.module.css';

export function DealScreen() {
  const { deal: id } = useParams({ from: '/desk/deals/$deal' });
  const { data, error, refetch } = useRead('deal_get', { deal: id });
  const navigate = useNavigate();
  const back = (): void => void navigate({ to: '/deals', search: {} });
  const deal = data?.deal;
  useKeys([
    {
      keys: 'm',
      does: 'Move to…',
      group: 'Deal',
      run: () => document.querySelector<HTMLElement>('[data-stage-picker]')?.click(),
    },
    { keys: 'Escape', does: 'Back to board', group: 'Deal', run: back },
  ]);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(location.href);
    tell('Link copied.');
  };
  return (
    <Page
      crumbs={[{ title: 'Deals', to: '/deals' }, { title: deal?.name ?? 'Deal' }]}
      actions={
        <>
          {deal && <HistoryLink noun="deal" id={deal.id} />}
          <Tooltip label="Copy link">
            <ActionIcon size="lg" aria-label="Copy link" onClick={() => void copy()}>
              <Link2 size={17} />
            </ActionIcon>
          </Tooltip>
        </>
      }
    >
      {deal ? (
        <DealView key={deal.id} deal={deal} gone={back} />
      ) : error ? (
        <Trouble subject error={error} again={() => void refetch()} />
      ) : (
        <div className={classes.bones}>
          <Bones lines={7} height={16} />
        </div>
      )}
    </Page>
  );
}
