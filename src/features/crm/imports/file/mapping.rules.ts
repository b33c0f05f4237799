// Which column becomes what: proposed from headings and from what is below them, then as the caller's own mapping says.
import { refusalNaming } from '../../../../kernel/parse.ts';
import { parseAddress } from '../../../../mail/address.rules.ts';
import type { CustomField } from '../../fields/contract.ts';
import { headingKey, TARGETS, targetCalled, whyNever, type Target } from './headings.rules.ts';

export type Goal = Target | `custom.${string}`;

export type Column = {
  index: number;
  /** As the file has it; empty where it has none. */
  name: string;
  field: Goal | null;
  /** Why it is ignored, or that the caller said so. */
  why: string | null;
};

/** Goals that several columns may feed: all of these, or the first that is not empty. */
const MANY: readonly string[] = ['email', 'email_personal', 'email_other', 'phone', 'link', 'tags'];

const UNKNOWN = 'no field has this name: map it, or add a custom field';

/** `below`: the first rows under the heading. */
export function propose(
  headings: readonly string[],
  below: readonly (readonly string[])[],
  fields: readonly CustomField[],
): Column[] {
  const taken = new Map<string, string>();
  const columns = headings.map((name, index): Column => {
    const goal = goalCalled(name, fields);
    if (goal === null) return { index, name, field: null, why: whyNever(name) ?? UNKNOWN };
    const first = taken.get(goal);
    if (first !== undefined && !MANY.includes(goal))
      return { index, name, field: null, why: `"${first}" gives the ${goal} already` };
    taken.set(goal, name);
    return { index, name, field: goal, why: null };
  });
  if (columns.some(({ field }) => isAddress(field))) return columns;
  const addresses = columns.find(({ index }) => looksLikeAddresses(index, below));
  return columns.map((column) => (column === addresses ? { ...column, field: 'email', why: null } : column));
}

const isAddress = (field: string | null): boolean => field?.startsWith('email') ?? false;

function goalCalled(name: string, fields: readonly CustomField[]): Goal | null {
  const key = headingKey(name);
  if (key === '') return null;
  const known = targetCalled(name);
  if (known) return known;
  const field = fields.find((each) => headingKey(each.title) === key || headingKey(each.key) === key);
  return field ? `custom.${field.key}` : null;
}

function looksLikeAddresses(index: number, below: readonly (readonly string[])[]): boolean {
  const values = below.map((row) => row[index] ?? '').filter((value) => value !== '');
  const addresses = values.filter((value) => parseAddress(value).ok);
  return addresses.length > 0 && addresses.length * 2 > values.length;
}

/** Lays the caller's mapping over the proposal. Throws 400 naming every column or field that there is not. */
export function mapped(
  proposed: readonly Column[],
  mapping: Record<string, string | null>,
  fields: readonly CustomField[],
): Column[] {
  const faults: [string, string][] = [];
  const columns = proposed.map((column) => ({ ...column }));
  const said = new Set<Column>();
  for (const [key, goal] of Object.entries(mapping)) {
    const column = columnCalled(columns, key);
    const name = `mapping.${key.slice(0, 40)}`;
    if (!column) faults.push([name, `${name}: the file has no such column`]);
    else if (goal !== null && !isGoal(goal, fields))
      faults.push([
        name,
        `${name}: an import can fill ${TARGETS.join(', ')} and custom.<key>, and nothing else`,
      ]);
    else {
      column.field = goal;
      column.why = goal === null ? 'you left it out' : null;
      said.add(column);
    }
  }
  // What the caller said goes before what was proposed for the same field.
  for (const column of columns) {
    const rivals = columns.filter((other) => other !== column && other.field === column.field);
    if (column.field === null || MANY.includes(column.field) || rivals.length === 0) continue;
    if (!said.has(column))
      Object.assign(column, { field: null, why: 'another column was mapped to its field' });
    else if (rivals.some((other) => said.has(other)))
      faults.push([`mapping.${column.name.slice(0, 40)}`, `two columns are mapped to ${column.field}`]);
  }
  if (faults.length > 0) throw refusalNaming(faults);
  return columns;
}

/** By its name, then by its name without case and accents, then by its index from 0. */
function columnCalled(columns: Column[], key: string): Column | undefined {
  return (
    columns.find(({ name }) => name === key.trim() && name !== '') ??
    columns.find(({ name }) => headingKey(name) === headingKey(key) && headingKey(key) !== '') ??
    (/^\d{1,4}$/.test(key) ? columns[Number(key)] : undefined)
  );
}

const isGoal = (goal: string, fields: readonly CustomField[]): goal is Goal =>
  (TARGETS as readonly string[]).includes(goal) || fields.some(({ key }) => goal === `custom.${key}`);
