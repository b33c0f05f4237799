// The letters of a campaign that someone is to read before they go, and the way into the queue where they are worked through.
import { many } from '../../../../ui/kit/numbers.ts';
import { Button } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { Stamp } from 'lucide-react';
import { usePages } from '../../../../ui/client/hooks.ts';
import { Bones, Empty, Trouble } from '../../../../ui/kit/states.tsx';
import { Letters } from './letters.tsx';
import type { TabProps } from './tab.ts';
import { REVIEW } from './words.ts';
import classes from './overview.module.css';

export function ReviewTab({ campaign, go }: TabProps) {
  const router = useRouter();
  const pages = usePages('send_list', { campaign: campaign.id, state: 'review', order: 'oldest', limit: 20 });
  if (pages.error) return <Trouble error={pages.error} again={pages.again} />;
  if (pages.pending)
    return (
      <div className={classes.overview}>
        <Bones lines={5} height={22} />
      </div>
    );
  if (pages.rows.length === 0)
    return (
      <Empty
        icon={Stamp}
        title="No letters to review"
        action={
          <Button variant="default" onClick={() => go('settings')}>
            Review settings
          </Button>
        }
      >
        {REVIEW[campaign.review_policy].says} Letters to review appear here when they’re due.
      </Empty>
    );
  const waiting = Math.max(campaign.counts.review, pages.rows.length);
  return (
    <div className={classes.overview}>
      <section className={classes.card} aria-labelledby="waiting">
        <div className={classes.head}>
          <h2 id="waiting">{many(waiting, 'letter', 'letters')} waiting for review</h2>
          <Button onClick={() => router.history.push(`/review?campaign=${campaign.id}`)}>
            Review letters
          </Button>
        </div>
        <p className={classes.quiet}>{REVIEW[campaign.review_policy].says} Oldest first.</p>
        <Letters letters={pages.rows} />
      </section>
    </div>
  );
}
