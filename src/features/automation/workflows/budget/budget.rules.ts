// Why a workflow paused automatically, in the words shown to people. Pure.

export const PAUSED_WHY = ['runs', 'turns', 'tokens', 'loop'] as const;
export type PausedWhy = (typeof PAUSED_WHY)[number];

const RAISE = 'an administrator can raise the limit in Settings → Workflows';

export const PAUSED: Record<PausedWhy, string> = {
  runs: `this workflow used up its runs for this hour: wait, or ${RAISE}; then activate it again`,
  turns: `this workflow used up its agent turns for this hour: wait, or ${RAISE}; then activate it again`,
  tokens: `this workflow used up its model tokens for today: wait until midnight UTC, or ${RAISE}; then activate it again`,
  loop: 'workflows keep triggering each other: find the step that triggers the other workflow, then activate this one again',
};

export const BEGUN_TOO_OFTEN = `this workflow used up its runs for this hour: wait, or ${RAISE}`;
