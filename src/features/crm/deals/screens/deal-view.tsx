// A deal whole: its name and state, what closes or opens it, its fields, and what happened. At the side of a board it is one
// column.
import { Button } from '@mantine/core';
import { CircleX, RotateCcw, Trophy } from 'lucide-react';
import { call } from '../../../../ui/client/call.ts';
import { known, useAct } from '../../../../ui/client/hooks.ts';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import { useSaving } from '../../../../ui/kit/record-saving.ts';
import type { Deal } from '../contract.ts';
import { DealConflict } from './conflict.tsx';
import { DealFields } from './deal-fields.tsx';
import { DealName } from './deal-name.tsx';
import { History } from './history.tsx';
import { useSettle } from './settle.tsx';
import { STATE } from './words.ts';
import classes from './deal.module.css';

type DealViewProps = {
  deal: Deal;
  narrow?: boolean;
  /** It was deleted. */
  gone: () => void;
};

export function DealView({ deal, narrow = false, gone }: DealViewProps) {
  const args = { deal: deal.id };
  const update = useAct('deal_update', { quiet: true });
  const saving = useSaving<Deal>({
    record: deal,
    put: async (change, revision) => (await update.mutateAsync({ ...args, revision, ...change })).deal,
    read: async () => (await call('deal_get', args)).deal,
    show: (next) => known.set('deal_get', args, { deal: next }),
  });
  const { settle, question } = useSettle();
  return (
    <div className={classes.deal} data-narrow={narrow || undefined}>
      <div className={classes.main}>
        <DealName deal={deal} saving={saving} level={narrow ? 3 : 2} />
        <div className={classes.state}>
          <Pill tone={STATE[deal.state].tone}>{STATE[deal.state].title}</Pill>
          {deal.closed_at && (
            <span className={classes.quiet}>
              <Time at={deal.closed_at} />
            </span>
          )}
          <span className={classes.acts}>
            {deal.state === 'open' ? (
              <>
                <Button
                  variant="default"
                  leftSection={<Trophy size={15} />}
                  onClick={() => settle(deal, 'won')}
                >
                  Won
                </Button>
                <Button
                  variant="default"
                  leftSection={<CircleX size={15} />}
                  onClick={() => settle(deal, 'lost')}
                >
                  Lost…
                </Button>
              </>
            ) : (
              <Button
                variant="default"
                leftSection={<RotateCcw size={15} />}
                onClick={() => settle(deal, 'open')}
              >
                Reopen…
              </Button>
            )}
          </span>
        </div>
        {deal.lost_reason && <p className={classes.reason}>Lost because: {deal.lost_reason}</p>}
        <DealConflict saving={saving} />
        {narrow && <DealFields deal={deal} saving={saving} gone={gone} />}
        <History deal={deal} />
      </div>
      {!narrow && <DealFields deal={deal} saving={saving} gone={gone} />}
      {question}
    </div>
  );
}
