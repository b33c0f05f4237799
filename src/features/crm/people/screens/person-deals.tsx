// The deals of a person, each a way to its own page. Nothing is here for someone without one, or who may not see any.
import { Link } from '@tanstack/react-router';
import { useRead } from '../../../../ui/client/hooks.ts';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { moneyText, STATE, stageTitle, useStages } from '../../deals/screens/shared.ts';
import type { Person } from '../contract.ts';
import classes from './person.module.css';

export function PersonDeals({ person }: { person: Person }) {
  const { data } = useRead('deal_list', { person: person.id, limit: 20 }, { stale_ms: 30_000 });
  const stages = useStages();
  if (!data || data.items.length === 0) return null;
  return (
    <section className={classes.card} aria-label="Deals">
      <div className={classes.cardHead}>
        <h2>Deals</h2>
      </div>
      <ul className={classes.rows}>
        {data.items.map((deal) => {
          const page: string = `/deals/${deal.id}`;
          return (
            <li key={deal.id}>
              <Link to={page} className={classes.value}>
                {deal.name}
              </Link>
              <span className={classes.meta}>
                {deal.amount !== null && deal.currency !== null && (
                  <span>{moneyText(deal.amount, deal.currency)}</span>
                )}
                <span className={classes.quietText}>{stageTitle(stages, deal.stage)}</span>
                <Pill tone={STATE[deal.state].tone}>{STATE[deal.state].title}</Pill>
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
