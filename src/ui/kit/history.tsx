// The history of a record, newest first: who did what and when, with notes.
import { useId } from 'react';
import { Principal, type PrincipalLike } from './principal.tsx';
import { Time } from './time.tsx';
import classes from './history.module.css';

type Fact = { id: string; by: PrincipalLike & { on_behalf_of?: PrincipalLike }; at: string };

type HistoryProps<F extends Fact> = {
  facts: readonly F[];
  /** `did`: what follows the name; `more`: a reason or a note. */
  says: (fact: F) => { did: string; more: string | null };
};

export function History<F extends Fact>({ facts, says }: HistoryProps<F>) {
  const id = useId();
  // A heading over nothing asks what is missing.
  if (facts.length === 0) return null;
  return (
    <section className={classes.history} aria-labelledby={id}>
      <h2 id={id}>Timeline</h2>
      <ol>
        {facts.map((fact) => {
          const { did, more } = says(fact);
          return (
            <li key={fact.id}>
              <p>
                <Principal of={fact.by} behalf={fact.by.on_behalf_of ?? null} /> {did} <Time at={fact.at} />
              </p>
              {more && <p className={classes.more}>{more}</p>}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
