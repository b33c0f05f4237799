/** By `file: line`: why a replaced word stays there. At most 40, and only fewer. */
export const LEFT: Record<string, string> = {
  'src/features/work/approvals/rules.ts: you wrote this item: somebody else decides it':
    'the specification fixes the sentence',
};
