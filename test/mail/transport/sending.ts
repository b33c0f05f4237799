// A letter for tests of transports, and a transport to a server of the test.
import { expect } from 'vitest';
import { openSmtp, type SmtpOptions } from '../../../src/mail/transport/smtp.ts';
import type { OutgoingLetter, Outcome, Transport } from '../../../src/mail/transport/transport.ts';
import { readAllowedHosts } from '../../../src/net/switches.ts';

export const HOST = 'mail.sender.example';

/** Dots where a line begins, and no new line at the end of the last: what transports get wrong. */
export const BYTES = Buffer.from('Subject: hi\r\nFrom: a@x.example\r\n\r\nHello\r\n.\r\n..two\r\nbye\r\n');

export const letter = (changes: Partial<OutgoingLetter> = {}): OutgoingLetter => ({
  envelope: { from: 'bounce+1@sender.example', to: ['bo@example.org'] },
  bytes: BYTES,
  idempotency_key: 'send-1',
  beforeFinalDot: () => Promise.resolve(),
  ...changes,
});

/** Deadlines are long: a test that meets one says which. */
export const optionsFor = (port: number, changes: Partial<SmtpOptions> = {}): SmtpOptions => ({
  host: HOST,
  port,
  allowedHosts: readAllowedHosts(HOST),
  lookup: () => Promise.resolve(['127.0.0.1']),
  access: { security: 'plain', login: null },
  peer: 'exchange',
  ehlo_name: 'desk.sender.example',
  ...changes,
});

export async function sendOver(
  options: SmtpOptions,
  changes: Partial<OutgoingLetter> = {},
): Promise<Outcome> {
  const transport = openSmtp(options);
  try {
    return await transport.send(letter(changes));
  } finally {
    await transport.close();
  }
}

export const using = (transport: Transport): AsyncDisposable & { send: Transport['send'] } => ({
  send: transport.send,
  [Symbol.asyncDispose]: () => transport.close(),
});

export const until = async (holds: () => boolean): Promise<void> => {
  await expect.poll(holds, { timeout: 10_000, interval: 5 }).toBe(true);
};
