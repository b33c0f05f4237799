// An item's own page. Its address names it by key, as people do; the product knows it by id.
import { ActionIcon, Tooltip } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Link2 } from 'lucide-react';
import { ApiError } from '../../../../../ui/client/call.ts';
import { known, useRead } from '../../../../../ui/client/hooks.ts';
import { tell } from '../../../../../ui/client/toast.ts';
import { useKeys } from '../../../../../ui/kit/keys.ts';
import { Page } from '../../../../../ui/kit/page.tsx';
import { Bones, Trouble } from '../../../../../ui/kit/states.tsx';
import { HistoryLink } from '../../../../access/audit/screens/shared.ts';
import { ItemView } from './item-view.tsx';
import { useClaim } from './use-claim.ts';
import { isUuid } from '../../../../../ui/kit/uuid.ts';
import classes from './item.module.css';

const KEY = /^[A-Z][A-Z0-9]{1,9}-[1-9][0-9]{0,8}$/;

/** The id behind a key: known from the board one came from, asked for otherwise. */
function useItemId(project: string, ref: string): { id: string | null; error: ApiError | null } {
  const key = ref.toUpperCase();
  const cards = known.get('project_board', { project })?.columns.flatMap((column) => column.cards);
  const near = isUuid(ref) ? ref : cards?.find((card) => card.key === key)?.id;
  const found = useRead(
    'item_list',
    { key, limit: 1 },
    { enabled: near === undefined && KEY.test(key), stale_ms: 60_000 },
  );
  const id = near ?? found.data?.items[0]?.id ?? null;
  const missing = id === null && (found.data || !KEY.test(key));
  return {
    id,
    error:
      found.error ??
      (missing
        ? new ApiError(
            404,
            'not_found',
            `You can’t view ${key}. It may have been deleted, or its project isn’t on your board.`,
          )
        : null),
  };
}

export function ItemScreen() {
  const { project: given, item: ref } = useParams({ from: '/desk/work/$project/$item' });
  const project = given.toUpperCase();
  const { id, error } = useItemId(project, ref);
  const read = useRead('item_get', { item_id: id ?? '' }, { enabled: id !== null });
  const named = useRead('project_get', { project }, { stale_ms: 60_000 }).data?.project.name;
  const navigate = useNavigate();
  const claim = useClaim();
  const item = read.data?.item;
  const trouble = error ?? read.error;
  const back = (): void => void navigate({ to: '/work/$project', params: { project } });

  useKeys([
    {
      keys: 'm',
      does: 'Move to…',
      group: 'Item',
      run: () => document.querySelector<HTMLElement>('[data-status-picker]')?.click(),
    },
    {
      keys: 'c',
      does: 'Claim or release',
      group: 'Item',
      run: () => item && void claim.toggle(item),
    },
    { keys: 'Escape', does: 'Back to board', group: 'Item', run: back },
  ]);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(location.href);
    tell('Link copied.');
  };
  return (
    <Page
      crumbs={[
        { title: 'Work', to: '/work' },
        { title: named ?? project, to: `/work/${project}` },
        { title: item?.key ?? ref.toUpperCase() },
      ]}
      actions={
        <>
          {item && <HistoryLink noun="item" id={item.id} />}
          <Tooltip label="Copy link">
            <ActionIcon size="lg" aria-label="Copy link" onClick={() => void copy()}>
              <Link2 size={17} />
            </ActionIcon>
          </Tooltip>
        </>
      }
    >
      {item ? (
        <ItemView key={item.id} item={item} gone={back} />
      ) : trouble ? (
        <Trouble error={trouble} again={() => void read.refetch()} />
      ) : (
        <div className={classes.bones}>
          <Bones lines={7} height={16} />
        </div>
      )}
    </Page>
  );
}
