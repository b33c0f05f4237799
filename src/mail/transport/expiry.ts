// When a mail server’s certificate expired. Checked on a separate connection that trusts no one and sends only what
// leads to encryption, because Node discards a certificate that it rejects.
import type { Socket } from 'node:net';
import { connect } from 'node:tls';
import { isAddress } from '../../net/address.ts';
import { openSocket, type Place } from './socket.ts';

export type Starts = 'tls' | { steps: readonly Step[] };
/** What is said, and what the server's answer to it looks like. */
type Step = { says: string | null; until: RegExp };

export const SMTP_STARTS: Starts = {
  steps: [
    { says: null, until: /^220 /m },
    { says: 'EHLO localhost', until: /^250 /m },
    { says: 'STARTTLS', until: /^220 /m },
  ],
};
export const IMAP_STARTS: Starts = {
  steps: [
    { says: null, until: /^\* OK/m },
    { says: 'a STARTTLS', until: /^a OK/m },
  ],
};

const MOST_TEXT = 16 * 1024;

/** Null where it can't be learned in that time. */
export async function expiredAt(place: Place, starts: Starts, limitMs: number): Promise<Date | null> {
  const opened = await openSocket(place, limitMs);
  if (!opened.ok) return null;
  const { socket, host } = opened;
  socket.on('error', () => undefined);
  const timer = setTimeout(() => socket.destroy(), limitMs);
  try {
    for (const step of starts === 'tls' ? [] : starts.steps) if (!(await heard(socket, step))) return null;
    return await shownBy(socket, host);
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}

function heard(socket: Socket, { says, until }: Step): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let text = '';
  const onData = (piece: Buffer): void => {
    text += piece.toString('latin1');
    if (until.test(text)) resolve(true);
    else if (text.length > MOST_TEXT) resolve(false);
  };
  const onClose = (): void => resolve(false);
  socket.on('data', onData).once('close', onClose).resume();
  if (says !== null) socket.write(`${says}\r\n`);
  return promise.finally(() => {
    socket.pause();
    socket.off('data', onData).off('close', onClose);
  });
}

function shownBy(socket: Socket, host: string): Promise<Date | null> {
  const { promise, resolve } = Promise.withResolvers<Date | null>();
  const secured = connect({
    socket,
    rejectUnauthorized: false,
    ...(!isAddress(host) && { servername: host }),
  });
  secured.once('secureConnect', () => {
    const at = new Date(secured.getPeerCertificate().valid_to);
    resolve(Number.isNaN(at.getTime()) ? null : at);
    secured.destroy();
  });
  secured.once('error', () => resolve(null));
  secured.once('close', () => resolve(null));
  return promise;
}
