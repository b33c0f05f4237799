// Rows of Today in screen order, without those just handled. The open row stays when someone else handles it.
import { useState } from 'react';
import type { TodayRow, TodaySection } from '../contract.ts';
import { PART, type TodayPart, type SectionName } from '../sections.rules.ts';

export type Shown = { row: TodayRow; section: SectionName; settled: boolean };
export type TodayGroup = { part: TodayPart; sections: { section: TodaySection; rows: Shown[] }[] };

/** Another one as soon as what would be acted on is another: a letter that was edited comes back. */
const signOf = ({ key, act }: TodayRow): string =>
  `${key} ${act?.kind === 'letter' ? act.fingerprint : act && 'revision' in act ? act.revision : ''}`;

const PARTS: TodayPart[] = ['needs', 'broken', 'waits'];

/** `begin`: the key of the row that is open first, where it is still there. */
export function useRows(sections: readonly TodaySection[], begin?: string) {
  const [over, setOver] = useState<ReadonlySet<string>>(new Set());
  const [opened, setOpened] = useState<{ key: string; at: number } | null>(null);
  const [kept, setKept] = useState<Shown | null>(null);

  const groups: TodayGroup[] = PARTS.map((part) => ({
    part,
    sections: sections
      .filter(({ name }) => PART[name] === part)
      .map((section) => ({
        section,
        rows: section.rows
          .filter((row) => !over.has(signOf(row)))
          .map((row) => ({ row, section: section.name, settled: false })),
      })),
  }));
  const all = (): Shown[] => groups.flatMap((group) => group.sections.flatMap(({ rows }) => rows));
  let rows = all();
  const first = rows.find(({ row }) => row.key === begin) ?? rows[0];
  // The first opens automatically, and then it is open: what comes above it or takes it away changes nothing under the reader.
  if (opened === null && first) setOpened({ key: first.row.key, at: 0 });
  const key = opened?.key ?? first?.row.key ?? null;
  const found = rows.find(({ row }) => row.key === key);
  if (found && found.row !== kept?.row) setKept(found);
  if (!found && opened && kept && kept.row.key === opened.key && !over.has(signOf(kept.row))) {
    const place = groups
      .flatMap((group) => group.sections)
      .find(({ section }) => section.name === kept.section);
    place?.rows.splice(Math.min(opened.at, place.rows.length), 0, { ...kept, settled: true });
    rows = all();
  }

  const open = (next: Shown | undefined): void => {
    if (!next) return setOpened(null);
    const within = rows.filter(({ section }) => section === next.section);
    setOpened({ key: next.row.key, at: within.indexOf(next) });
  };
  const step = (by: number): Shown | undefined => {
    const at = rows.findIndex(({ row }) => row.key === key);
    const next = rows[at < 0 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1)];
    if (next) open(next);
    return next;
  };
  /** It is settled here: it goes at once, and the next one opens. */
  const settle = ({ row }: Shown): Shown | undefined => {
    const at = rows.findIndex((one) => one.row.key === row.key);
    const next = rows[at + 1] ?? rows[at - 1];
    setOver((before) => new Set([...before, signOf(row)]));
    open(next);
    return next;
  };
  /** It was refused, and is there again. */
  const back = (row: TodayRow): void =>
    setOver((before) => new Set([...before].filter((sign) => sign !== signOf(row))));

  return {
    groups,
    rows,
    opened: rows.find(({ row }) => row.key === key) ?? null,
    open,
    step,
    settle,
    back,
    over,
  };
}
