// One side of an SMTP conversation: sends a command, reads one whole reply (RFC 5321 section 4.2), and reads little.
import type { Socket } from 'node:net';
import type { Reply } from './reply.ts';

/** Why no reply came. */
export type Broken = 'timeout' | 'closed' | 'too_long' | 'not_smtp';

export type Line = {
  /** With no command the reply is waited for alone, as the greeting is. */
  ask(command: string | null): Promise<Reply | Broken>;
  /** Hands the socket on to TLS. Null where the host said more than it was asked: that could be someone else's words. */
  release(): Socket | null;
  /** Says goodbye and waits shortly for the other side to close. */
  quit(): Promise<void>;
};

const LONGEST_REPLY_BYTES = 16 * 1024;
const MOST_LINES = 100;
const GOODBYE_MS = 1_000;

export function openLine(socket: Socket, replyMs: number): Line {
  let heard = '';
  let broken: Broken | null = null;
  let wake: (() => void) | null = null;

  const onData = (chunk: Buffer): void => {
    // Beyond the bound nothing is kept; who waits is told at once, who does not will be at the next question.
    if (heard.length <= LONGEST_REPLY_BYTES) heard += chunk.toString('latin1');
    wake?.();
  };
  const onEnd = (): void => {
    broken ??= 'closed';
    wake?.();
  };
  socket.on('data', onData);
  socket.on('end', onEnd);
  socket.on('close', onEnd);
  socket.on('error', onEnd);
  if (socket.destroyed) onEnd();

  /** The first whole reply of what was heard, or why there cannot be one, or null while it may still come. */
  function take(): Reply | Broken | null {
    const texts: string[] = [];
    let at = 0;
    for (;;) {
      const end = heard.indexOf('\n', at);
      if (end === -1) break;
      const match = /^(\d{3})(?:([ -])(.*))?$/s.exec(heard.slice(at, end).replace(/\r$/, ''));
      if (!match || texts.length >= MOST_LINES) return match ? 'too_long' : 'not_smtp';
      texts.push(match[3] ?? '');
      at = end + 1;
      if (match[2] === '-') continue;
      heard = heard.slice(at);
      return { code: Number(match[1]), text: joined(texts) };
    }
    return heard.length > LONGEST_REPLY_BYTES ? 'too_long' : null;
  }

  function next(): Promise<Reply | Broken> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        broken ??= 'timeout';
        wake?.();
      }, replyMs);
      wake = () => {
        const found = take() ?? broken;
        if (found === null) return;
        clearTimeout(timer);
        wake = null;
        if (typeof found === 'string') broken = found;
        resolve(found);
      };
      wake();
    });
  }

  return {
    ask(command) {
      // A host that speaks out of turn cannot be followed: its next reply would be taken for another's.
      if (command !== null && heard !== '') broken ??= 'not_smtp';
      if (command !== null && broken !== null) return Promise.resolve(broken);
      if (command !== null) socket.write(`${command}\r\n`);
      return next();
    },
    release() {
      socket.off('data', onData);
      socket.off('end', onEnd);
      socket.off('close', onEnd);
      return heard === '' && broken === null ? socket : null;
    },
    quit: () =>
      new Promise((resolve) => {
        const timer = setTimeout(() => socket.destroy(), broken === null ? GOODBYE_MS : 0);
        const end = (): void => {
          clearTimeout(timer);
          resolve();
        };
        if (socket.closed) return end();
        socket.once('close', end);
        if (broken === null) socket.end('QUIT\r\n');
      }),
  };
}

/** A status (RFC 2034) is repeated on every line: once is enough. Lines stay apart for who looks for extensions. */
const joined = (texts: readonly string[]): string =>
  texts.map((text, at) => (at === 0 ? text : text.replace(/^[245]\.\d{1,3}\.\d{1,3} /, ''))).join('\n');
