// Hides a letter’s unsubscribe link wherever its words are shown to anyone but its recipient: following it would opt
// the recipient out.

/**
 * Any such address of ours without its key. First whole addresses, then keys in one: strangers write these words, and a
 * pattern that begins an address again inside the same one takes a time that grows with the square of it.
 */
export const withoutKeys = (words: string): string =>
  words.replace(/https?:\/\/[^\s"<>]+/g, (address) => address.replace(/\/u\/[\w-]{20,}/g, '/u/…'));
