// Money as people write and read it. The product keeps minor units; how many of them make one differs by currency. Pure.

import { digitsOf } from '../units.rules.ts';

/** Currencies that a form offers; any other is typed. */
export const CURRENCIES = ['EUR', 'USD', 'GBP', 'CHF', 'JPY'] as const;

const formats = new Map<string, Intl.NumberFormat>();

function formatOf(currency: string): Intl.NumberFormat {
  const known = formats.get(currency);
  if (known) return known;
  const made = new Intl.NumberFormat(undefined, { style: 'currency', currency });
  formats.set(currency, made);
  return made;
}

/** `€1,250.50`; whole amounts without their zeros, as a column of a board has no room for them. */
export function moneyText(amount: number, currency: string): string {
  const one = 10 ** digitsOf(currency);
  return amount % one === 0 ? wholeMoneyText(amount, currency) : formatOf(currency).format(amount / one);
}

/** Rounded to whole units, as an estimate is said. */
export const wholeMoneyText = (amount: number, currency: string): string =>
  new Intl.NumberFormat(undefined, { style: 'currency', currency, maximumFractionDigits: 0 }).format(
    amount / 10 ** digitsOf(currency),
  );

/** What an input shows of an amount: a plain decimal, with the digits of the currency where it is no whole one. */
export function amountText(amount: number | null, currency: string | null): string {
  if (amount === null) return '';
  const digits = digitsOf(currency ?? 'EUR');
  const one = 10 ** digits;
  return amount % one === 0 ? String(amount / one) : (amount / one).toFixed(digits);
}

/** Minor units of what was typed; null where nothing was, undefined where it is no amount. */
export function amountOf(text: string, currency: string): number | null | undefined {
  const plain = text.replaceAll(/[\s'_]/g, '').replace(',', '.');
  if (plain === '') return null;
  if (!/^\d{1,13}(\.\d*)?$/.test(plain)) return undefined;
  return Math.round(Number(plain) * 10 ** digitsOf(currency));
}
