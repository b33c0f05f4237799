// The amount of a deal and the currency it is in, changed where they stand; the product is sent both together.
import { useState } from 'react';
import { tell } from '../../../ui/client/toast.ts';
import fields from '../../work/screens/fields.module.css';
import type { Deal } from '../contract.ts';
import { amountOf, amountText, CURRENCIES } from './money.rules.ts';
import classes from './deal.module.css';

type MoneyProps = { deal: Deal; save: (change: Record<string, unknown>) => void };

export function Money({ deal, save }: MoneyProps) {
  const currency = deal.currency ?? 'EUR';
  const was = amountText(deal.amount, deal.currency);
  const [draft, setDraft] = useState<string | null>(null);
  const [chosen, setChosen] = useState(currency);
  const [known, setKnown] = useState(currency);
  if (known !== currency) {
    setKnown(currency);
    setChosen(currency);
  }
  const done = (): void => {
    setDraft(null);
    if (draft === null || draft === was) return;
    const amount = amountOf(draft, chosen);
    if (amount === undefined) tell('That is no amount: write it as 1250 or 1250.50.');
    else save(amount === null ? { amount: null } : { amount, currency: chosen });
  };
  const choose = (next: string): void => {
    setChosen(next);
    // The number that people see stays the same; how many minor units it is may not.
    const amount = amountOf(draft ?? was, next);
    if (typeof amount === 'number') save({ amount, currency: next });
  };
  return (
    <span className={classes.money}>
      <input
        className={fields.input}
        inputMode="decimal"
        aria-label="Amount"
        placeholder="None"
        value={draft ?? was}
        onChange={(event) => setDraft(event.currentTarget.value)}
        onBlur={done}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur();
          if (event.key === 'Escape') setDraft(null);
        }}
      />
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
