// Whether someone forwards a letter: the subject says so, and the letter is below.
import { isBlock, isRule } from './headings.ts';

/** What mail programs put before the subject of a letter that is passed on, by language. */
const SUBJECT =
  /^\s*(?:\[[^\]]{0,40}\]\s*)?(?:fwd?|wg|wtr|tr|tf|rv|enc|vs|vb|vl|pd|i|fs|ynt|ilt|továbbítás|прд|пер|轉寄|转发|転送|전달|doorst)\s*[:：]/i;

export function isForwarded(subject: string, text: string): boolean {
  if (!SUBJECT.test(subject)) return false;
  const lines = text.slice(0, 20_000).split('\n');
  return lines.some((line, at) => isRule(line) || isBlock(lines, at));
}
