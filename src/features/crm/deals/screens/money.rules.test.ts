// Owns how money is written and read: minor units by currency, and what is no amount.
import { expect, test } from 'vitest';
import { amountOf, amountText, moneyText } from './money.rules.ts';

test.each([
  ['1250', 'EUR', 125_000],
  ['1250,5', 'EUR', 125_050],
  ['1 250.05', 'EUR', 125_005],
  ['0.29', 'EUR', 29],
  ['500', 'JPY', 500],
  ['', 'EUR', null],
  ['-3', 'EUR', undefined],
  ['1,250.00', 'EUR', undefined],
  ['abc', 'EUR', undefined],
])('%o of %s is %o in minor units', (text, currency, amount) => {
  expect(amountOf(text, currency)).toBe(amount);
});

test('an amount is shown in its currency, without the zeros of a whole one', () => {
  expect(moneyText(125_000, 'EUR')).toMatch(/1.250/);
  expect(moneyText(125_000, 'EUR')).not.toMatch(/[.,]00/);
  expect(moneyText(125_050, 'EUR')).toMatch(/[.,]50/);
  expect(amountText(125_050, 'EUR')).toBe('1250.50');
  expect(amountText(125_000, 'EUR')).toBe('1250');
  expect(amountText(null, null)).toBe('');
});
