// How much is taken of another party's server, and how long it is waited for. Screens say these to whoever adds one.
import { SECOND_MS } from '../../kernel/clock.ts';

/** A server with more of them is not listed at all. */
export const MOST_TOOLS = 200;
/** A whole conversation, a sign-in or a renewal: under the 30 seconds of the request tools. */
export const CONVERSATION_MS = 25 * SECOND_MS;
/** Bytes of one answer on the wire. */
export const ANSWER_BYTES = 4 * 1024 * 1024;
/** Characters of what a tool answered that an agent is given. */
export const ANSWER_CHARS = 48_000;
