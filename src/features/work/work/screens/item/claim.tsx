// Who holds an item and for how long, with the way to take it, give it back, or break another worker's claim.
import { Button } from '@mantine/core';
import { Hand } from 'lucide-react';
import { ActButton } from '../../../../../ui/kit/act-button.tsx';
import { Mark } from '../../../../../ui/kit/principal.tsx';
import type { Item } from '../../items.contract.ts';
import { liveClaim } from '../../rules.ts';
import { useClaim } from './use-claim.ts';
import { minutesLeft, useNow } from './use-now.ts';
import { named } from '../../../../../ui/kit/who.ts';
import classes from './item.module.css';

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

export function ClaimLine({ item }: { item: Item }) {
  const { rule, toggle, release, busy } = useClaim();
  const now = useNow();
  const claim = liveClaim(item, now);
  const ruling = rule(item);
  if (!claim)
    return (
      <div className={classes.claim}>
        <Hand size={15} aria-hidden />
        <span className={classes.grow}>Not claimed.</span>
        <ActButton
          variant="default"
          closed={ruling.kind === 'refused' ? ruling.refusal.sentence : null}
          loading={busy}
          onClick={() => void toggle(item)}
        >
          Claim
        </ActButton>
      </div>
    );
  const mine = ruling.kind === 'renews';
  return (
    <div className={classes.claim} data-kind={claim.holder.kind}>
      <Mark of={claim.holder} />
      <span className={classes.grow}>
        {mine ? 'Claimed by you' : `Claimed by ${named(claim.holder)}`} until{' '}
        {clock.format(new Date(claim.expires_at))}, {minutesLeft(claim.expires_at, now)} min left
      </span>
      {mine ? (
        <Button variant="default" loading={busy} onClick={() => void toggle(item)}>
          Release
        </Button>
      ) : (
        <span className={classes.row}>
          <Button variant="default" loading={busy} onClick={() => release.mutate({ item_id: item.id })}>
            Break claim
          </Button>
          <Button variant="default" loading={busy} onClick={() => void toggle(item)}>
            Take over
          </Button>
        </span>
      )}
    </div>
  );
}
