// What a person signs when approving a letter: one opaque text that changes with anything the recipient would see.
import { createHash } from 'node:crypto';

export type Signed = {
  from: { name: string | null; address: string };
  reply_to: string | null;
  to: readonly string[];
  cc: readonly string[];
  subject: string;
  text: string;
  html: string | null;
  attachments: readonly { filename: string; content_type: string; content: Uint8Array }[];
};

/** SHA-256 in base64url. Every value goes in behind its length, so that no text can move from one field to the next. */
export function letterFingerprint(letter: Signed): string {
  const hash = createHash('sha256').update('letter 1\n');
  const add = (value: string | Uint8Array | null): void => {
    const bytes = value === null ? null : Buffer.from(value);
    hash.update(bytes === null ? '-\n' : `${bytes.byteLength}\n`);
    if (bytes) hash.update(bytes);
  };
  const addAll = (values: readonly string[]): void => {
    add(String(values.length));
    values.forEach(add);
  };
  add(letter.from.name);
  add(letter.from.address);
  add(letter.reply_to);
  addAll(letter.to);
  addAll(letter.cc);
  add(letter.subject);
  add(letter.text);
  add(letter.html);
  add(String(letter.attachments.length));
  for (const { filename, content_type, content } of letter.attachments) {
    add(filename);
    add(content_type);
    add(content);
  }
  return hash.digest('base64url');
}
