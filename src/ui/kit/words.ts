// Words and orders that several screens of the board share: statuses and priorities in their order, dates as people say them,
// and what an address may name an item by.
import type { Status } from '../../features/work/work/contract.ts';
import { PRIORITY, STATUS, type Priority } from './pills.tsx';

export const STATUSES = Object.keys(STATUS) as Status[];
export const PRIORITIES = Object.keys(PRIORITY) as Priority[];

export type Who = {
  kind: string;
  id: string;
  name: string;
  on_behalf_of?: { kind: string; id: string; name: string };
};

/** `scout on behalf of Ada`, as a tooltip or a reader says it. */
export const named = ({ name, on_behalf_of }: Who): string =>
  on_behalf_of ? `${name} on behalf of ${on_behalf_of.name}` : name;

export const same = (
  a: { kind: string; id: string } | null,
  b: { kind: string; id: string } | null,
): boolean => a?.id === b?.id && a?.kind === b?.kind;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const isUuid = (text: string): boolean => UUID.test(text);

const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const dayAndYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });

/** `date` is a calendar day (2026-03-02), so it is the same day in every time zone. */
export function dayWord(date: string): string {
  const at = new Date(`${date}T00:00:00`);
  return (at.getFullYear() === new Date().getFullYear() ? day : dayAndYear).format(at);
}

export function today(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

/** `1 item`, `2 items`. */
export const counted = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;
