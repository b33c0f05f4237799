// Limits of one script run, and the sentence with which each limit ends it.

export type Limits = {
  /** Time that the script itself takes, without what it waits for. */
  computing_ms: number;
  /** Time in all. */
  total_ms: number;
  memory_bytes: number;
  calls: number;
  /** Characters that it prints; what is printed past them is left out. */
  output_chars: number;
};

const seconds = (ms: number): string => `${ms / 1000} seconds`;

const STAYS = 'and was stopped: what its finished calls changed stays changed';

export const limitSentence: { [L in Exclude<keyof Limits, 'output_chars'>]: (limits: Limits) => string } = {
  computing_ms: (limits) => `the script computed for ${seconds(limits.computing_ms)} ${STAYS}`,
  total_ms: (limits) => `the script ran for ${seconds(limits.total_ms)} with its calls ${STAYS}`,
  memory_bytes: (limits) =>
    `the script needed more than ${Math.round(limits.memory_bytes / 2 ** 20)} MB of memory ${STAYS}`,
  calls: (limits) => `the script made more than ${limits.calls} calls ${STAYS}`,
};
