// Why a workflow pauses itself, as people are told. Pure.

export const PAUSED_WHY = ['runs', 'turns', 'tokens', 'loop'] as const;
export type PausedWhy = (typeof PAUSED_WHY)[number];

const RAISE = 'an administrator raises it in Settings → Workflows';

export const PAUSED: Record<PausedWhy, string> = {
  runs: `this workflow used up its runs for this hour: ${RAISE} or waits, then someone activates it again`,
  turns: `this workflow used up its agent turns for this hour: ${RAISE} or waits, then someone activates it again`,
  tokens: `this workflow used up its model tokens for today: ${RAISE} or waits until midnight UTC, then someone activates it again`,
  loop: 'runs of workflows set each other off again and again: find which one does what the other listens to, then activate this one again',
};

export const BEGUN_TOO_OFTEN = `this workflow used up its runs for this hour: wait, or ${RAISE}`;
