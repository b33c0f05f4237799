// Amounts with their currency, for readers without a screen: `105,000.00 EUR`. Amounts are stored in minor units; how many make
// one unit depends on the currency. Pure.

const digits = new Map<string, number>();

/** Digits after the decimal point. */
export function digitsOf(currency: string): number {
  const known = digits.get(currency);
  if (known !== undefined) return known;
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions();
  digits.set(currency, maximumFractionDigits);
  return maximumFractionDigits;
}

export function withUnit(minor: number, currency: string): string {
  const places = digitsOf(currency);
  const amount = (minor / 10 ** places).toLocaleString('en-US', {
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  });
  return `${amount} ${currency}`;
}
