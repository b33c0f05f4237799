// The handler of Today: its parts one after the other, without those that the caller may not read.
import { bind } from '../../../kernel/context.ts';
import { brokenOf } from './broken.ts';
import { todayGet } from './contract.ts';
import { needsOf } from './needs.ts';
import { waitsOf } from './waits.ts';

export const today = bind(todayGet, async (context) => {
  const parts = await Promise.all([needsOf(context), brokenOf(context), waitsOf(context)]);
  return {
    as_of: context.now.toISOString(),
    user_id: context.caller.user_id,
    sections: parts.flat().filter((section) => section !== null),
  };
});
