// What was said and what was changed, in the order it happened; a filter shows one of the two. Changes that one worker made at
// one moment are together.
import { Button, SegmentedControl } from '@mantine/core';
import { useMemo, useState, type ReactNode } from 'react';
import { usePages } from '../../../../../ui/client/hooks.ts';
import { Mark } from '../../../../../ui/kit/principal.tsx';
import { Bones } from '../../../../../ui/kit/states.tsx';
import { Time } from '../../../../../ui/kit/time.tsx';
import type { ItemChange } from '../../card.contract.ts';
import type { Project } from '../../contract.ts';
import type { Comment, Item } from '../../items.contract.ts';
import { ChangeWords } from './change-words.tsx';
import { CommentView, NewComment } from './comments.tsx';
import { named, same, type Who } from '../../../../../ui/kit/who.ts';
import classes from '../../../../../ui/kit/timeline.module.css';

type Entry =
  | { kind: 'comment'; at: string; comment: Comment }
  | { kind: 'changes'; at: string; id: string; by: Who; changes: ItemChange[] };

const TOGETHER_MS = 60_000;

/** Oldest first; `comments` are oldest first already, `changes` newest first. */
export function merged(comments: Comment[], changes: ItemChange[]): Entry[] {
  const entries: Entry[] = comments.map((comment) => ({ kind: 'comment', at: comment.at, comment }));
  for (const change of changes.toReversed()) {
    const last = entries.at(-1);
    const close =
      last?.kind === 'changes' && new Date(change.at).getTime() - new Date(last.at).getTime() < TOGETHER_MS;
    const between = last && comments.some((comment) => comment.at > last.at && comment.at <= change.at);
    if (close && !between && same(last.by, change.by)) last.changes.push(change);
    else entries.push({ kind: 'changes', at: change.at, id: change.id, by: change.by, changes: [change] });
  }
  return entries.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

type Shown = 'all' | 'comments' | 'changes';

export function Timeline({ item, project }: { item: Item; project: Project }) {
  const [shown, setShown] = useState<Shown>('all');
  const comments = usePages('comment_list', { item_id: item.id, limit: 200 });
  const changes = usePages('item_history', { item_id: item.id, limit: 100 });
  const entries = useMemo(
    () => merged(shown === 'changes' ? [] : comments.rows, shown === 'comments' ? [] : changes.rows),
    [shown, comments.rows, changes.rows],
  );
  return (
    <section className={classes.timeline} aria-label="Comments and history">
      <header className={classes.head}>
        <h2>Activity</h2>
        <SegmentedControl
          size="xs"
          aria-label="What to show"
          value={shown}
          onChange={(next) => setShown(next as Shown)}
          data={[
            { value: 'all', label: 'All' },
            { value: 'comments', label: 'Comments' },
            { value: 'changes', label: 'Changes' },
          ]}
        />
      </header>
      {changes.more && shown !== 'comments' && <More run={changes.more}>Show earlier changes</More>}
      {comments.pending || changes.pending ? (
        <Bones lines={3} />
      ) : (
        <ol className={classes.entries}>
          {shown !== 'comments' && !changes.more && (
            <li className={classes.change}>
              <Mark of={item.author} size={18} />
              <p>
                <strong title={named(item.author)}>{item.author.name}</strong> created it{' '}
                <Time at={item.created_at} />
              </p>
            </li>
          )}
          {entries.map((entry) =>
            entry.kind === 'comment' ? (
              <li key={entry.comment.id}>
                <CommentView comment={entry.comment} />
              </li>
            ) : (
              <li key={entry.id} className={classes.change}>
                <Mark of={entry.by} size={18} />
                <ChangesLine by={entry.by} at={entry.at} changes={entry.changes} project={project} />
              </li>
            ),
          )}
        </ol>
      )}
      {comments.more && shown !== 'changes' && <More run={comments.more}>Show later comments</More>}
      {shown !== 'changes' && <NewComment item_id={item.id} />}
    </section>
  );
}

const More = ({ run, children }: { run: () => void; children: ReactNode }) => (
  <Button variant="subtle" color="gray" onClick={run}>
    {children}
  </Button>
);

export function ChangesLine({
  by,
  at,
  changes,
  project,
}: {
  by: Who;
  at: string;
  changes: ItemChange[];
  project: Project;
}) {
  return (
    <div className={classes.words}>
      <strong title={named(by)}>{by.name}</strong>
      {by.kind !== 'person' && <span className="unseen"> ({by.kind})</span>}{' '}
      {changes.map((change, index) => (
        <span key={change.id}>
          {index > 0 && (index === changes.length - 1 ? ' and ' : ', ')}
          <ChangeWords
            field={change.field}
            from={change.from}
            to={change.to}
            titles={project.column_titles}
            fields={project.custom_fields}
          />
        </span>
      ))}{' '}
      <span className={classes.at}>
        <Time at={at} />
      </span>
    </div>
  );
}
