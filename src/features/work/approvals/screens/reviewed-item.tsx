// What a reviewer reads of an item: what it was sent back with and what changed since, its text, its fields, what was said, and
// all of its history behind a click.
import { Facts } from '../../../../ui/kit/detail-drawer.tsx';
import { Label, PRIORITY, PriorityMark } from '../../../../ui/kit/pills.tsx';
import { Principal } from '../../../../ui/kit/principal.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { ItemChange } from '../../work/card.contract.ts';
import type { Comment } from '../../work/items.contract.ts';
import type { CustomField } from '../../../crm/fields/contract.ts';
import type { Project } from '../../work/contract.ts';
import type { Item } from '../../work/items.contract.ts';
import { LinkLine, ChangesLine } from '../../work/screens/shared.ts';
import { MarkdownText } from '../../../../ui/kit/markdown-text.tsx';
import { dayWord } from '../../../../ui/kit/days.ts';
import { named } from '../../../../ui/kit/who.ts';
import type { Approval } from '../contract.ts';
import { EarlierDecisions } from './earlier.tsx';
import type { Since } from './since.ts';
import classes from './reviewed-item.module.css';

type ReviewedItemProps = {
  approval: Approval;
  item: Item;
  project: Project;
  comments: Comment[];
  changes: ItemChange[];
  since: Since | null;
};

export function ReviewedItem({ approval, item, project, comments, changes, since }: ReviewedItemProps) {
  const facts = factsOf(item, project.custom_fields);
  const said = comments.filter((comment) => comment.id !== since?.comment?.id);
  return (
    <>
      {since && <SentBack since={since} project={project} />}
      <section className={classes.quoted} aria-label="Description">
        <h3>Description</h3>
        {item.description ? (
          <MarkdownText text={item.description} />
        ) : (
          <p className={classes.quiet}>No description.</p>
        )}
      </section>
      {facts.length > 0 && (
        <section aria-label="Fields">
          <Facts of={facts} />
        </section>
      )}
      {said.length > 0 && (
        <section className={classes.said} aria-label="Comments">
          <h3>Comments</h3>
          {said.map((comment) => (
            <div key={comment.id} className={classes.comment}>
              <p>
                <Principal of={comment.author} behalf={comment.author.on_behalf_of ?? null} size={18} />{' '}
                <Time at={comment.at} />
              </p>
              <MarkdownText text={comment.text} />
            </div>
          ))}
        </section>
      )}
      <EarlierDecisions subject={item.id} but={[approval.id, ...(since ? [since.review] : [])]} />
      <details className={classes.history}>
        <summary>All changes ({changes.length})</summary>
        <ol>
          {changes.map((change) => (
            <li key={change.id}>
              <ChangesLine by={change.by} at={change.at} changes={[change]} project={project} />
            </li>
          ))}
        </ol>
      </details>
    </>
  );
}

function SentBack({ since, project }: { since: Since; project: Project }) {
  return (
    <section className={classes.since} aria-label="Since it was returned">
      <h3>
        {named(since.by)} {since.did} <Time at={since.at} />
      </h3>
      {since.note && (
        <blockquote>
          <MarkdownText text={since.note} />
        </blockquote>
      )}
      {since.changes.length > 0 ? (
        <>
          <h4>Changed since</h4>
          <ul>
            {since.changes.map((change) => (
              <li key={change.id}>
                <ChangesLine by={change.by} at={change.at} changes={[change]} project={project} />
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p className={classes.quiet}>No changes since then. See the comments.</p>
      )}
    </section>
  );
}

function factsOf(item: Item, fields: CustomField[]): [string, React.ReactNode][] {
  const facts: [string, React.ReactNode][] = [];
  if (item.priority !== 'none')
    facts.push([
      'Priority',
      <span className={classes.inline} key="p">
        <PriorityMark priority={item.priority} /> {PRIORITY[item.priority].title}
      </span>,
    ]);
  if (item.assignee) facts.push(['Assignee', <Principal of={item.assignee} key="a" />]);
  if (item.labels.length > 0)
    facts.push([
      'Labels',
      <span className={classes.inline} key="l">
        {item.labels.map((label) => (
          <Label key={label}>{label}</Label>
        ))}
      </span>,
    ]);
  if (item.due_on) facts.push(['Due', dayWord(item.due_on)]);
  if (item.links.length > 0)
    facts.push([
      'Links',
      <span className={classes.links} key="k">
        {item.links.map((link) => (
          <LinkLine key={`${link.kind} ${link.ref}`} link={link} />
        ))}
      </span>,
    ]);
  for (const field of fields) {
    const value = item.custom[field.key];
    if (value !== undefined && value !== null)
      facts.push([field.title, <bdi key={field.key}>{shown(value)}</bdi>]);
  }
  return facts;
}

function shown(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  return Array.isArray(value) ? value.join(', ') : JSON.stringify(value);
}
