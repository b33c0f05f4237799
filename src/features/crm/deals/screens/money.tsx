// The amount of a deal and the currency it is in, changed where they exist; the product is sent both together.
import { useState } from 'react';
import { tell } from '../../../../ui/client/toast.ts';
import { useDraft } from '../../../../ui/kit/draft.ts';
import type { Saving } from '../../../../ui/kit/record-saving.ts';
import fields from '../../../../ui/kit/fields.module.css';
import type { Deal } from '../contract.ts';
import { amountOf, amountText, CURRENCIES } from './money.rules.ts';
import classes from './deal.module.css';

type MoneyProps = { deal: Deal; save: Saving<Deal>['save'] };

export function Money({ deal, save }: MoneyProps) {
  const currency = deal.currency ?? 'EUR';
  const was = amountText(deal.amount, deal.currency);
  const [chosen, setChosen] = useState(currency);
  const [known, setKnown] = useState(currency);
  if (known !== currency) {
    setKnown(currency);
    setChosen(currency);
  }
  const { text, input } = useDraft(was, (typed, before) => {
    const amount = amountOf(typed, chosen);
    if (amount === undefined) {
      tell('Enter an amount such as 1250 or 1250.50.');
      return false;
    }
    const from = before === undefined ? undefined : { amount: amountOf(before, currency) ?? null };
    return amount === null
      ? save({ amount: null }, { from })
      : save({ amount, currency: chosen }, { from: from && { ...from, currency: deal.currency } });
  });
  const choose = (next: string): void => {
    setChosen(next);
    // The number that people see stays the same; how many minor units it is may not.
    const amount = amountOf(text, next);
    if (typeof amount === 'number') void save({ amount, currency: next });
  };
  return (
    <span className={classes.money}>
      <input className={fields.input} inputMode="decimal" aria-label="Amount" placeholder="None" {...input} />
      <select
        className={fields.input}
        aria-label="Currency"
        value={chosen}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {[...new Set([chosen, ...CURRENCIES])].map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    </span>
  );
}
