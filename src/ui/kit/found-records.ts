// Finds people or companies by words, and gives the name of one.
import { useMemo } from 'react';
import { ApiError } from '../client/call.ts';
import { useRead } from '../client/hooks.ts';

export type Noun = 'person' | 'company';
/** `says` tells those of one name apart: an address and a company, or a domain. */
export type Found = { id: string; name: string; says?: string };

const FRESH_MS = 60_000;
const MOST = 20;
const OFFLINE = 'You’re offline. Results appear when you’re back online.';

type Named = {
  name: string;
  addresses?: { value: string }[];
  company?: { name: string } | null;
  domain?: string | null;
};
const called = ({ name, addresses }: Named): string => name || addresses?.[0]?.value || 'Unnamed';

const toldApart = ({ name, addresses, company, domain }: Named): string =>
  [name === '' ? null : addresses?.[0]?.value, company?.name, domain].filter(Boolean).join(' · ');

/** Those that go by these words, and never those of other words: null until they are there. */
export function useFound(
  noun: Noun,
  words: string,
  ask: boolean,
): { found: Found[] | null; trouble: ApiError | null; again: (() => void) | null } {
  const args = { limit: MOST, ...(words && { query: words }) };
  const people = useRead('person_list', args, { enabled: ask && noun === 'person', stale_ms: FRESH_MS });
  const companies = useRead('company_list', args, { enabled: ask && noun === 'company', stale_ms: FRESH_MS });
  const { data, error, fetchStatus, refetch } = noun === 'person' ? people : companies;
  const found = useMemo(
    () =>
      data?.items.map((one: Named & { id: string }) => ({
        id: one.id,
        name: called(one),
        says: toldApart(one),
      })) ?? null,
    [data],
  );
  // Without a network it is not even asked, and goes on automatically once there is one.
  const waits = fetchStatus === 'paused' && !data;
  if (waits) return { found, trouble: new ApiError(0, 'unreachable', OFFLINE), again: null };
  return { found, trouble: error, again: () => void refetch() };
}

/** What the chosen one is called: as someone knows it already, else as the product says; empty until it does. */
export function useName(noun: Noun, id: string | null, known: (Found | null | undefined)[]): string {
  const one = known.find((each) => each?.id === id);
  const ask = id !== null && !one;
  const person = useRead(
    'person_read',
    { person: id ?? '' },
    { enabled: ask && noun === 'person', stale_ms: FRESH_MS },
  );
  const company = useRead(
    'company_read',
    { company: id ?? '' },
    { enabled: ask && noun === 'company', stale_ms: FRESH_MS },
  );
  if (id === null) return '';
  if (one) return one.name;
  const read = noun === 'person' ? person.data?.person : company.data?.company;
  if (read) return called(read);
  return person.error || company.error ? `Selected ${noun}` : '';
}
