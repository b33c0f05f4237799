// What proposals are told of the records of every area: marks of what an act names, and the letters that it lets go.
import type { Binding } from '../../../work/proposals/binding.ts';
import { CHAT } from '../turn/run.ts';
import { marksAgain, marksNow } from './bound.store.ts';
import { lettersOf } from './letters.ts';

export const binding: Binding = {
  now: marksNow,
  again: marksAgain,
  letters: lettersOf,
  toldIn: ({ tell }, thread_id) => tell(CHAT, thread_id),
};
