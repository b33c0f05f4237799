// Rows of a plan that came to the same: how many there are, and the first of them by their place in the file.
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useId, useState, type ReactNode } from 'react';
import { Count, type Tone } from '../../../../ui/kit/pills.tsx';
import { count, sentence } from './words.ts';
import classes from './imports.module.css';

export type ShownRow = {
  row: number;
  name?: string | null;
  address?: string | null;
  column: string | null;
  reason: string | null;
  person_id?: string | null;
  mark?: ReactNode;
};

type PlannedRowsProps = { title: string; says: string; tone: Tone; total: number; rows: ShownRow[] };

const AT_FIRST = 5;

export function PlannedRows({ title, says, tone, total, rows }: PlannedRowsProps) {
  const [all, setAll] = useState(false);
  const heading = useId();
  if (total === 0) return null;
  const shown = all ? rows : rows.slice(0, AT_FIRST);
  return (
    <section className={classes.group} aria-labelledby={heading}>
      <h3 id={heading}>
        {title} <Count tone={tone}>{count(total)}</Count>
      </h3>
      <p>{says}</p>
      <ul className={classes.rows} data-tone={tone}>
        {shown.map((row, i) => (
          <PlannedRow key={`${row.row} ${i}`} {...row} />
        ))}
      </ul>
      {shown.length < total && (
        <p className={classes.more}>
          {shown.length < rows.length && (
            <Button variant="subtle" size="compact-sm" onClick={() => setAll(true)}>
              Show {count(rows.length - shown.length)} more
            </Button>
          )}
          {rows.length < total && (
            <span>
              The plan shows the first {count(rows.length)} of {count(total)}.
            </span>
          )}
        </p>
      )}
    </section>
  );
}

function PlannedRow({ row, name, address, column, reason, person_id, mark }: ShownRow) {
  const who = name || address;
  return (
    <li>
      <span className={classes.place}>Row {count(row)}</span>
      {who !== undefined && (
        <span className={classes.who}>
          {person_id ? (
            <Link to="/people/$person" params={{ person: person_id }} search={{}}>
              <bdi>{who || 'The person'}</bdi>
            </Link>
          ) : (
            <bdi>{who || 'No name'}</bdi>
          )}
          {name && address && (
            <span>
              <bdi>{address}</bdi>
            </span>
          )}
        </span>
      )}
      <span className={classes.why}>
        {mark}
        {column && (
          <strong>
            <bdi>{column}</bdi>:{' '}
          </strong>
        )}
        {reason && sentence(reason)}
      </span>
    </li>
  );
}
