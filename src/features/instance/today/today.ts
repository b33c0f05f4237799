// The handler of Today: its parts one after the other, without those that the caller may not read.
import { after, DAY_MS } from '../../../kernel/clock.ts';
import { bind } from '../../../kernel/context.ts';
import { brokenOf } from './broken.ts';
import { todayGet } from './contract.ts';
import { numbersOf } from './numbers.ts';
import { needsOf } from './needs.ts';
import { waitsOf } from './waits.ts';

export const today = bind(todayGet, async (context, { since }) => {
  const begun = since === undefined ? after(context.now, -DAY_MS) : new Date(since);
  const [numbers, ...parts] = await Promise.all([
    numbersOf(context, begun),
    needsOf(context),
    brokenOf(context),
    waitsOf(context),
  ]);
  return {
    as_of: context.now.toISOString(),
    user_id: context.caller.user_id,
    numbers,
    sections: parts.flat().filter((section) => section !== null),
  };
});
