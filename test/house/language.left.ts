/** By `file: line`: why a replaced word stays there. At most 40, and only fewer. */
export const LEFT: Record<string, string> = {};
