// One change of a field in words, for the history, for a conflict and for a reviewer. Long texts are opened on demand.
import { ArrowRight } from 'lucide-react';
import { Label, PRIORITY, PriorityMark, StatusPill, type Priority } from '../../../../../ui/kit/pills.tsx';
import { Principal } from '../../../../../ui/kit/principal.tsx';
import type { CustomField } from '../../../../crm/fields/contract.ts';
import type { Status } from '../../contract.ts';
import { many } from '../../../../../ui/kit/numbers.ts';
import { dayWord } from '../../../../../ui/kit/days.ts';
import type { Who } from '../../../../../ui/kit/who.ts';
import classes from './change-words.module.css';

type ChangeWordsProps = {
  field: string;
  from: unknown;
  to: unknown;
  titles: Partial<Record<Status, string>>;
  fields: CustomField[];
};

const NONE = <span className={classes.none}>nothing</span>;

const whole = (value: unknown): string =>
  value === null || value === undefined || value === ''
    ? ''
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);

const list = (value: unknown): string[] =>
  Array.isArray(value) ? value.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))) : [];

export function ChangeWords({ field, from, to, titles, fields }: ChangeWordsProps) {
  switch (field) {
    case 'status':
      return (
        <>
          moved it{' '}
          <Arrow from={<StatusOf is={from} titles={titles} />} to={<StatusOf is={to} titles={titles} />} />
        </>
      );
    case 'priority':
      return (
        <>
          set the priority to <PriorityWord is={to} />
        </>
      );
    case 'assignee':
      return to ? <>assigned {<Principal of={to as Who} size={16} />}</> : <>removed the assignee</>;
    case 'claim':
      return to ? (
        <>claimed it{(to as Who).name && from ? <>, from {(from as Who).name}</> : null}</>
      ) : (
        <>released {(from as Who | null)?.name ?? 'someone'}’s claim</>
      );
    case 'title':
      return (
        <>
          renamed it from <q>{whole(from)}</q> to <q>{whole(to)}</q>
        </>
      );
    case 'description':
      return <Texts what="the description" from={whole(from)} to={whole(to)} />;
    case 'due_on':
      return to ? <>set the due date to {dayWord(whole(to))}</> : <>removed the due date</>;
    case 'needs_review':
      return to ? <>required a review before it’s done</> : <>removed the review requirement</>;
    case 'labels':
      return <Labels from={list(from)} to={list(to)} />;
    case 'custom':
      return <Custom from={from} to={to} fields={fields} />;
    case 'blocked_by':
      return <>{list(to).length ? `set ${many(list(to).length, 'blocker')}` : 'removed all blockers'}</>;
    case 'links':
      return <>updated the links (now {list(to).length})</>;
    case 'parent_id':
      return to ? <>changed the parent item</> : <>removed the parent item</>;
    default:
      return <>changed {field.replaceAll('_', ' ')}</>;
  }
}

const Arrow = ({ from, to }: { from: React.ReactNode; to: React.ReactNode }) => (
  <span className={classes.arrow}>
    {from}
    <ArrowRight size={12} aria-label="to" />
    {to}
  </span>
);

const StatusOf = ({ is, titles }: { is: unknown; titles: Partial<Record<Status, string>> }) => {
  const status = is as Status;
  const title = titles[status];
  return <StatusPill status={status} {...(title ? { title } : {})} />;
};

const PriorityWord = ({ is }: { is: unknown }) => (
  <span className={classes.arrow}>
    <PriorityMark priority={is as Priority} size={14} />
    {PRIORITY[is as Priority].title}
  </span>
);

function Labels({ from, to }: { from: string[]; to: string[] }) {
  const added = to.filter((label) => !from.includes(label));
  const taken = from.filter((label) => !to.includes(label));
  return (
    <span className={classes.inline}>
      {added.length > 0 && (
        <>
          added{' '}
          {added.map((label) => (
            <Label key={label}>{label}</Label>
          ))}
        </>
      )}
      {taken.length > 0 && (
        <>
          removed{' '}
          {taken.map((label) => (
            <Label key={label}>{label}</Label>
          ))}
        </>
      )}
    </span>
  );
}

function Custom({ from, to, fields }: { from: unknown; to: unknown; fields: CustomField[] }) {
  const before = (from ?? {}) as Record<string, unknown>;
  const after = (to ?? {}) as Record<string, unknown>;
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => whole(before[key]) !== whole(after[key]),
  );
  return keys.map((key, at) => (
    <span key={key} className={classes.inline}>
      {at === 0 ? 'set ' : ', '}
      {fields.find((field) => field.key === key)?.title ?? key} to {whole(after[key]) || NONE}
    </span>
  ));
}

/** Lines that are in one text alone, marked; the rest is left out. */
function Texts({ what, from, to }: { what: string; from: string; to: string }) {
  if (!from) return <>wrote {what}</>;
  if (!to) return <>cleared {what}</>;
  const before = from.split('\n');
  const after = to.split('\n');
  const gone = before.filter((line) => line.trim() && !after.includes(line));
  const come = after.filter((line) => line.trim() && !before.includes(line));
  return (
    <>
      edited {what}
      <details className={classes.diff}>
        <summary>
          {many(come.length, 'line')} added, {many(gone.length, 'line')} removed
        </summary>
        <div>
          {gone.map((line, at) => (
            <del key={`a${at}`}>{line}</del>
          ))}
          {come.map((line, at) => (
            <ins key={`b${at}`}>{line}</ins>
          ))}
        </div>
      </details>
    </>
  );
}
