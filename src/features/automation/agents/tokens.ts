// Estimates the tokens of a question and its answer when the provider doesn’t report them. Pure.
import type { Asking } from './model.ts';

/** About four characters a token, so that no budget is void. `written`: characters of the answer. */
export const guessedTokens = (
  { instructions, said, tools }: Pick<Asking, 'instructions' | 'said' | 'tools'>,
  written: number,
): number => Math.ceil((JSON.stringify([instructions, said, tools]).length + written) / 4);
