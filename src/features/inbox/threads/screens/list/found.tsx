// Search results: single messages, newest first, each with a link to its conversation.
import { Button } from '@mantine/core';
import { SearchX } from 'lucide-react';
import { usePages } from '../../../../../ui/client/hooks.ts';
import { Pill } from '../../../../../ui/kit/pills.tsx';
import { Bones, Empty, Trouble } from '../../../../../ui/kit/states.tsx';
import { Time } from '../../../../../ui/kit/time.tsx';
import { RowLink } from './row-link.tsx';
import { CHANNEL, READING } from '../conversation/words.ts';
import classes from './list.module.css';

type FoundProps = { query: string; open: string | undefined; select: (id: string) => void };

export function Found({ query, open, select }: FoundProps) {
  const pages = usePages('mail_search', { query: query.slice(0, 200), limit: 50 });
  if (pages.pending)
    return (
      <div className={classes.bones}>
        <Bones lines={6} height={34} />
      </div>
    );
  if (pages.error && pages.rows.length === 0) return <Trouble error={pages.error} again={pages.again} />;
  if (pages.rows.length === 0)
    return (
      <Empty icon={SearchX} title="No matching messages">
        Search finds whole words in subjects, messages, names and addresses.
      </Empty>
    );
  return (
    <div className={classes.rowsBox}>
      <ul className={classes.rows} aria-label="Found messages" aria-busy={pages.fetching}>
        {pages.rows.map((row) => (
          <li key={row.id} className={classes.line}>
            <RowLink thread={row.thread_id} here={row.thread_id === open} select={select} flush>
              <span className={classes.top}>
                <span className={classes.who} dir="auto">
                  {row.from?.name ??
                    row.from?.address ??
                    (row.words === 'ours' ? 'Your team' : 'Unknown sender')}
                </span>
                <span className={classes.at}>
                  <Time at={row.at} />
                </span>
              </span>
              <span className={classes.subject} dir="auto">
                {row.subject || 'No subject'}
              </span>
              <span className={classes.snippet} dir="auto">
                {row.snippet}
              </span>
              <span className={classes.marks}>
                <Pill>{row.note ? 'Note' : row.direction === 'out' ? 'Sent' : 'Received'}</Pill>
                {row.channel !== 'email' && <Pill>{CHANNEL[row.channel]}</Pill>}
                {row.reading && <Pill tone={READING[row.reading].tone}>{READING[row.reading].title}</Pill>}
              </span>
            </RowLink>
          </li>
        ))}
      </ul>
      {pages.more && (
        <Button variant="subtle" color="gray" fullWidth onClick={pages.more} loading={pages.fetching}>
          Load more
        </Button>
      )}
    </div>
  );
}
