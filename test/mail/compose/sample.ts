// A letter that tests start from, and the reading of composed bytes.
import { expect } from 'vitest';
import { composeLetter, type Composed, type Letter } from '../../../src/mail/compose/letter.ts';

export const LETTER: Letter = {
  from: { name: 'Ada Byron', address: 'ada@sender.example' },
  reply_to: null,
  to: [{ name: null, address: 'bo@example.org' }],
  cc: [],
  subject: 'The mill in Leeds',
  text: 'Hello Bo,\n\nshall we talk about the mill?\n\nAda\n',
  html: '<p>Hello Bo,</p><p>shall we talk about the mill?</p><p>Ada</p>',
  message_id: '<0198c0de-0000-7000-8000-000000000001@sender.example>',
  date: new Date('2026-03-04T09:30:00Z'),
  in_reply_to: null,
  references: [],
  list_unsubscribe: {
    url: 'https://desk.sender.example/u/tok-123',
    mailto: 'mailto:unsubscribe@sender.example?subject=tok-123',
  },
  feedback_id: null,
  attachments: [],
  dkim: null,
};

export const compose = (changes: Partial<Letter> = {}): Promise<Composed> =>
  composeLetter({ ...LETTER, ...changes });

export async function bytesOf(changes: Partial<Letter> = {}): Promise<Buffer> {
  const composed = await compose(changes);
  expect(composed.ok).toBe(true);
  return composed.ok ? composed.bytes : Buffer.alloc(0);
}

/** Header fields in order, unfolded. */
export function headersOf(bytes: Buffer): [string, string][] {
  const head = bytes.toString('latin1').split('\r\n\r\n', 1)[0] ?? '';
  return head
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]);
}

export const header = (bytes: Buffer, name: string): string[] =>
  headersOf(bytes)
    .filter(([each]) => each.toLowerCase() === name.toLowerCase())
    .map(([, value]) => value);
