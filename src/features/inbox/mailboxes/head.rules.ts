// What the head of a mail says of itself, by its first bytes alone, so that a copy can be found, and an address that it was
// really delivered to, before anyone has read the mail.

const LOOKED_AT_BYTES = 64 * 1024;
const LONGEST = 998;
const MOST_ADDRESSES = 20;
const BARE = /^[^@]+@[a-z0-9.-]+/i;

const headOf = (bytes: Buffer): string => {
  const text = bytes.subarray(0, LOOKED_AT_BYTES).toString('latin1');
  return text.slice(0, /\r?\n\r?\n/.exec(text)?.index ?? text.length);
};

/** Without its brackets; null where the head names none that could be one. */
export function messageIdIn(bytes: Buffer): string | null {
  const [, value = ''] = /^message-id[ \t]*:((?:[^\r\n]|\r?\n[ \t])*)/im.exec(headOf(bytes)) ?? [];
  const [, id = ''] = /<\s*([\x21-\x3b\x3d\x3f-\x7e]+)\s*>/.exec(value) ?? [];
  return id !== '' && id.length <= LONGEST ? id : null;
}

/** As the receiving server wrote them on top; no one's word but its own. */
export function deliveredToIn(bytes: Buffer): string[] {
  const lines = headOf(bytes).matchAll(
    /^(?:delivered-to|x-original-to|envelope-to)[ \t]*:[ \t]*([^\r\n]{1,1000})/gim,
  );
  const addresses = [...lines].flatMap(
    ([, value = '']) =>
      value.match(/[\x21-\x3b\x3d\x3f-\x7e]+/g)?.flatMap((word) => BARE.exec(word)?.[0] ?? [])[0] ?? [],
  );
  return [...new Set(addresses)].slice(0, MOST_ADDRESSES);
}
