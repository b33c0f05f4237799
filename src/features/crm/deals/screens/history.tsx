// What happened to a deal, newest first: who opened, changed, closed or reopened it, and why.
import { Button } from '@mantine/core';
import { usePages } from '../../../../ui/client/hooks.ts';
import { Mark } from '../../../../ui/kit/principal.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import { useOwnFields } from '../../../../ui/kit/in-place.tsx';
import timeline from '../../../../ui/kit/timeline.module.css';
import type { Deal, DealFact } from '../contract.ts';
import { FIELDS, valueText } from './change-words.ts';
import { stageTitle, useOwners, useStages } from './words.ts';

const SAYS: Record<DealFact['kind'], string> = {
  opened: 'opened the deal',
  changed: 'changed the deal',
  won: 'closed the deal as won',
  lost: 'closed the deal as lost',
  reopened: 'reopened the deal',
};

export function History({ deal }: { deal: Deal }) {
  const pages = usePages('deal_history', { deal: deal.id, limit: 50 });
  const name = useNames(deal);
  return (
    <section className={timeline.timeline} aria-label="History">
      <div className={timeline.head}>
        <h2>History</h2>
      </div>
      {pages.error && pages.rows.length === 0 ? (
        <Trouble error={pages.error} again={pages.again} />
      ) : pages.pending ? (
        <Bones lines={3} />
      ) : pages.rows.length === 0 ? (
        <p className={timeline.none}>No changes yet.</p>
      ) : (
        <ol className={timeline.entries}>
          {pages.rows.map((fact) => (
            <li key={fact.id} className={timeline.change}>
              <Mark of={fact.by} size={18} />
              <div className={timeline.words}>
                <strong>{fact.by.name}</strong> <Words of={fact} deal={deal} name={name} />
              </div>
              <span className={timeline.at}>
                <Time at={fact.at} />
              </span>
            </li>
          ))}
        </ol>
      )}
      {pages.more && (
        <Button variant="subtle" color="gray" onClick={pages.more}>
          Earlier
        </Button>
      )}
    </section>
  );
}

type Name = (field: string, value: unknown) => string | null;

/** What the ids in a change mean, where this screen knows it. */
function useNames(deal: Deal): Name {
  const stages = useStages();
  const owners = useOwners();
  return (field, value) => {
    if (typeof value !== 'string') return null;
    if (field === 'stage') return stageTitle(stages, value);
    if (field === 'owner') return owners.find((one) => one.id === value)?.name ?? 'somebody';
    if (field === 'person_id') return (value === deal.person_id ? deal.person_name : null) ?? 'somebody';
    if (field === 'company_id') return (value === deal.company_id ? deal.company_name : null) ?? 'a company';
    if (field === 'campaign_id') return 'a campaign';
    return null;
  };
}

function Words({ of, deal, name }: { of: DealFact; deal: Deal; name: Name }) {
  const own = useOwnFields('deal');
  if (of.changes.length === 0)
    return (
      <>
        {SAYS[of.kind]}
        {of.reason && `: “${of.reason}”`}
      </>
    );
  const changed = (currency: unknown, which: 'from' | 'to') =>
    of.changes.find(({ field }) => field === 'currency')?.[which] ?? currency;
  const shown = of.changes.filter(
    ({ field }) => field !== 'currency' || !of.changes.some((change) => change.field === 'amount'),
  );
  return shown.map(({ field, from, to }, at) => {
    const key = field.startsWith('custom.') ? field.slice('custom.'.length) : null;
    const title = key
      ? (own.find((one) => one.key === key)?.title ?? key)
      : (FIELDS[field] ?? field).toLowerCase();
    return (
      <span key={field}>
        {at > 0 && ', '}
        changed {title} from{' '}
        {name(field, from) ?? valueText(field, from, { currency: changed(deal.currency, 'from') })} to{' '}
        <strong>{name(field, to) ?? valueText(field, to, { currency: changed(deal.currency, 'to') })}</strong>
      </span>
    );
  });
}
