// What stops letters to this person: every suppression that is on an address of theirs, why, since when, and who may lift
// it. Read for each address, so that a suppression of the whole domain is shown where it stops something.
import { Button } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { Ban } from 'lucide-react';
import { call } from '../../../../ui/client/call.ts';
import { keyOf } from '../../../../ui/client/hooks.ts';
import { Time } from '../../../../ui/kit/time.tsx';
import { parseAddress } from '../../../../mail/address.rules.ts';
import type { Suppression } from '../../suppressions/contract.ts';
import { useLift, REASON, whoMayLift } from '../../suppressions/screens/shared.ts';
import type { Person } from '../contract.ts';
import classes from './person.module.css';

const PAGE = 50;

export type StandingSuppression = { row: Suppression; address: string };

/** What is on these addresses; `null` where this person may not read suppressions. */
export function useStanding(addresses: readonly string[]): StandingSuppression[] | null {
  const reads = useQueries({
    queries: addresses.map((address) => {
      const args = { query: address, state: 'standing', limit: PAGE } as const;
      return { queryKey: keyOf('suppression_list', args), queryFn: () => call('suppression_list', args) };
    }),
  });
  if (reads.some((read) => read.error)) return null;
  const seen = new Set<string>();
  return reads.flatMap((read, at) => {
    const address = addresses[at] ?? '';
    const parsed = parseAddress(address);
    const typed = parsed.ok ? parsed.address.normalised : address;
    return (read.data?.items ?? []).flatMap((row) => {
      // A question finds what begins as it does, too.
      const meant = row.kind === 'domain' || row.value === null || row.value === typed;
      if (!meant || seen.has(row.id)) return [];
      seen.add(row.id);
      return [{ row, address }];
    });
  });
}

export function Suppressed({ person }: { person: Person }) {
  const lift = useLift();
  const standing = useStanding(person.addresses.map((address) => address.value));
  if (!person.suppressed) return null;
  const mark = person.suppressed;
  const stopped = new Set(
    standing?.flatMap(({ row, address }) => (row.kind === 'domain' ? at(row, person) : [address])),
  );
  const all = standing === null || person.addresses.every(({ value }) => stopped.has(value));
  return (
    <section className={classes.banner} aria-label="Suppressed">
      <h2>
        <Ban size={15} aria-hidden />{' '}
        {all ? 'Suppressed: no letters are sent' : 'Some addresses are suppressed'}
      </h2>
      {standing === null || standing.length === 0 ? (
        <p>
          {REASON[mark.reason].why} {mark.via === 'domain' && 'The whole domain is suppressed. '}Since{' '}
          <Time at={mark.since} />.
        </p>
      ) : (
        <ul>
          {standing.map(({ row, address }) => (
            <li key={row.id}>
              <span>
                <strong>{row.kind === 'domain' ? `All addresses at ${row.value}` : address}</strong>:{' '}
                {REASON[row.reason].title.toLowerCase()}, since <Time at={row.created_at} />, by{' '}
                {row.created_by.name}
                {row.note && `. “${row.note}”`}
                {row.expires_at && (
                  <>
                    . Ends <Time at={row.expires_at} />
                  </>
                )}
              </span>
              <Button
                variant="default"
                size="compact-sm"
                loading={lift.busy}
                title={whoMayLift(row.reason)}
                onClick={() => void lift.ask(row)}
              >
                Lift
                <span className="unseen"> {REASON[row.reason].title}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The addresses of theirs at a domain. */
const at = ({ value }: Suppression, person: Person): string[] =>
  person.addresses.map((address) => address.value).filter((address) => parsedDomain(address) === value);

function parsedDomain(address: string): string | null {
  const parsed = parseAddress(address);
  return parsed.ok ? parsed.address.domain : null;
}
