// Reads mail and typed text apart from the main thread (src/apart): no outsider’s text is read by rule anywhere else.
// What isn’t done in time is read briefly, by its header and first words, and by no rule.
import { apart, Crowded, Overran } from '../../apart/apart.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import type { Looked, Sought } from './look.ts';
import type { Task } from './look.job.ts';
import { type RuleReading, UNREAD } from './reading.ts';

/** Of the processor. More than any letter takes that a person wrote. */
const WITHIN_MS = 2 * SECOND_MS;

const look = apart<Task, Looked>(new URL('./look.job.ts', import.meta.url));
const readWords = apart<string, RuleReading>(new URL('./typed.job.ts', import.meta.url));

/** Not even its header could be read in time, or in the memory there is for it. */
export class TooCostly extends Error {}

/** `cut`: its source held more than these bytes. */
export async function readApart(
  bytes: Uint8Array,
  sought: Sought,
  within_ms = WITHIN_MS,
  cut = false,
): Promise<Looked> {
  const inThread = (brief: boolean, ms: number): Promise<Looked> => {
    // A copy of its own to give away: theirs may be a part of something longer.
    const own = new Uint8Array(bytes);
    return look({ bytes: own, sought, brief, cut }, ms, [own.buffer]);
  };
  return inThread(false, within_ms)
    .catch((error: unknown) => (isOver(error) ? inThread(true, WITHIN_MS) : Promise.reject(error)))
    .catch((error: unknown) => Promise.reject(isOver(error) ? new TooCostly() : error));
}

/** What someone typed into a form, by rule: read by none where that takes too long, or too much else is read. */
export async function readTyped(message: string, within_ms = WITHIN_MS): Promise<RuleReading> {
  try {
    return await readWords(message, within_ms);
  } catch (error) {
    if (error instanceof Overran || error instanceof Crowded) return UNREAD;
    throw error;
  }
}

const isOver = (error: unknown): boolean => error instanceof Overran;
