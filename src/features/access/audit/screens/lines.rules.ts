// What is listed, as lines of a timeline: neighbours of one caller make a turn, and its runs of reads fold into one line.
import type { ActivityRow } from '../contract.ts';

export type Line = {
  key: string;
  /** The newest first; more than one only where reads were folded. */
  entries: [ActivityRow, ...ActivityRow[]];
  /** How many reads it represents. */
  reads: number;
  /** The first line of its turn, which says who it was. */
  begins: boolean;
};

/** A pause that is longer ends a turn. */
const PAUSE_MS = 5 * 60_000;

const whoOf = ({ principal, on_behalf_of, token, surface, turn }: ActivityRow): string =>
  [principal.kind, principal.id, on_behalf_of?.id, token?.id, surface, turn].join(' ');

const near = (newer: ActivityRow, older: ActivityRow): boolean =>
  whoOf(newer) === whoOf(older) && Date.parse(newer.at) - Date.parse(older.until) <= PAUSE_MS;

/** `rows` newest first. */
export function linesOf(rows: readonly ActivityRow[]): Line[] {
  const lines: Line[] = [];
  let before: ActivityRow | null = null;
  for (const row of rows) {
    const goes_on: boolean = before !== null && near(before, row);
    const last = lines.at(-1);
    if (goes_on && row.kind === 'read' && last && last.reads > 0) {
      last.entries.push(row);
      last.reads += row.count;
    } else
      lines.push({
        key: row.id,
        entries: [row],
        reads: row.kind === 'read' ? row.count : 0,
        begins: !goes_on,
      });
    before = row;
  }
  return lines;
}
