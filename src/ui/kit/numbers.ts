// Numbers as the reader's browser writes them, and the words that go with them in the language of the screens.
const plain = new Intl.NumberFormat();
const share = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
const rule = new Intl.PluralRules('en');

/** `1,204`, or `1.204` where that is how it is written. */
export const counted = (n: number): string => plain.format(n);

/** `0.125` is `12.5%`. */
export const percent = (part: number): string => share.format(part);

/** `1 letter`, `2,000 letters`. */
export const many = (n: number, one: string, more = `${one}s`): string =>
  `${counted(n)} ${rule.select(n) === 'one' ? one : more}`;

const UNITS = ['bytes', 'KB', 'MB'] as const;

/** `740 bytes`, `1.4 KB`. */
export function sizeText(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (size >= 1024 && unit < UNITS.length - 1) [size, unit] = [size / 1024, unit + 1];
  return `${unit === 0 ? size : size.toFixed(size < 10 ? 1 : 0)} ${UNITS[unit]}`;
}
