// Mail servers on loopback: a whole one that keeps what it is given, and one that says exactly what a test wants and
// keeps every byte that came.
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { Certificate } from './certificate.ts';
import { rawReceiver, type Receiver } from './receiver.ts';

export type SunkLetter = {
  from: string;
  to: string[];
  bytes: Buffer;
  encrypted: boolean;
  user: string | null;
};

export type SmtpSink = AsyncDisposable & {
  port: number;
  letters: SunkLetter[];
  /** Connections so far, the ended ones too. */
  connections(): number;
};

type SinkOptions = {
  certificate?: Certificate;
  implicitTls?: boolean;
  /** No one else is let in; without it no one has to sign in. */
  login?: { user: string; password: string };
  hides?: ('PIPELINING' | 'SMTPUTF8' | 'STARTTLS')[];
  withoutAuth?: boolean;
  /** What is said at RCPT instead of yes, such as `553 5.7.1 not yours`; most servers judge the sender only there. */
  refuses?: (from: string, to: string) => string | null;
};

export async function smtpSink(options: SinkOptions = {}): Promise<SmtpSink> {
  const { certificate, implicitTls = false, login, hides = [], withoutAuth = false, refuses } = options;
  const letters: SunkLetter[] = [];
  let connections = 0;
  const hidden = certificate ? hides : [...hides, 'STARTTLS'];
  const server = new SMTPServer({
    secure: implicitTls,
    ...certificate,
    disabledCommands: withoutAuth ? ['AUTH'] : [],
    ...Object.fromEntries(hidden.map((each) => [`hide${each}`, true])),
    authOptional: login === undefined,
    allowInsecureAuth: false,
    disableReverseLookup: true,
    // Connections that are open when a test ends are cut.
    closeTimeout: 1,
    onConnect(_, done) {
      connections += 1;
      done();
    },
    onAuth({ username, password }, _, done) {
      if (login && username === login.user && password === login.password) done(null, { user: username });
      else done(Object.assign(new Error('no'), { responseCode: 535 }));
    },
    onRcptTo({ address }, { envelope: { mailFrom } }, done) {
      const [code = '', ...words] = refuses?.(mailFrom ? mailFrom.address : '', address)?.split(' ') ?? [];
      if (code === '') done();
      else done(Object.assign(new Error(words.join(' ')), { responseCode: Number(code) }));
    },
    onData(stream, session, done) {
      const { mailFrom, rcptTo } = session.envelope;
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () => {
        letters.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          bytes: Buffer.concat(pieces),
          encrypted: session.secure === true,
          user: typeof session.user === 'string' ? session.user : null,
        });
        done(null, 'OK queued as 4AbC12xYz');
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    letters,
    connections: () => connections,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Where a script may speak. `end` is the end of a letter, and `body` the first bytes of one. */
export type Turn =
  | 'greeting'
  | 'EHLO'
  | 'STARTTLS'
  | 'AUTH'
  | 'MAIL'
  | 'RCPT'
  | 'DATA'
  | 'body'
  | 'end'
  | 'RSET'
  | 'QUIT';

/** A reply without its last CRLF, or something else to do; several are taken in turn, the last again and again. */
export type Says = string | ((socket: Socket) => void) | (string | ((socket: Socket) => void))[];

export type ScriptedSmtp = AsyncDisposable & {
  port: number;
  /** All bytes of all connections, as text of one byte a character. */
  received(): string;
  /** Commands of all connections, their first words. */
  commands: string[];
  connections: Receiver['connections'];
};

export const hang = (): void => {};
export const drop = (socket: Socket): void => void socket.destroy();

const USUAL: Partial<Record<Turn, Says>> = {
  greeting: '220 there',
  EHLO: '250-there\r\n250-PIPELINING\r\n250 SIZE 20000000',
  MAIL: '250 2.1.0 ok',
  RCPT: '250 2.1.5 ok',
  DATA: '354 go on',
  end: '250 2.0.0 ok',
  RSET: '250 ok',
  QUIT: '221 bye',
};

export async function scriptedSmtp(script: Partial<Record<Turn, Says>>): Promise<ScriptedSmtp> {
  const lines: Partial<Record<Turn, Says>> = { ...USUAL, ...script };
  const turns = new Map<Turn, number>();
  const commands: string[] = [];
  let received = '';
  const say = (socket: Socket, turn: Turn): string => {
    const says = lines[turn] ?? (turn === 'body' ? hang : '500 what?');
    const turnsTaken = turns.get(turn) ?? 0;
    turns.set(turn, turnsTaken + 1);
    const now = Array.isArray(says) ? (says[Math.min(turnsTaken, says.length - 1)] ?? '') : says;
    if (typeof now !== 'string') now(socket);
    else if (!socket.destroyed) socket.write(`${now}\r\n`, 'latin1');
    return typeof now === 'string' ? now : '';
  };
  const there = await rawReceiver((socket) => {
    let [rest, inLetter, taken] = ['', false, 0];
    say(socket, 'greeting');
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      rest += chunk.toString('latin1');
      for (;;) {
        const end = inLetter ? rest.indexOf('\r\n.\r\n') : rest.indexOf('\r\n');
        if (end === -1) break;
        const line = rest.slice(0, end);
        rest = rest.slice(end + (inLetter ? 5 : 2));
        if (inLetter) {
          inLetter = false;
          say(socket, 'end');
          continue;
        }
        const verb = (line.split(' ', 1)[0] ?? '').toUpperCase();
        commands.push(verb);
        if (verb === 'MAIL') taken = 0;
        // As RFC 2920 section 3.1 wants it, unless the script says otherwise.
        if (verb === 'DATA' && taken === 0 && !script.DATA) {
          socket.write('503 5.5.1 no recipients\r\n');
          continue;
        }
        const reply = say(socket, verb as Turn);
        if (verb === 'RCPT' && reply.startsWith('2')) taken += 1;
        inLetter = verb === 'DATA' && reply.startsWith('354');
        // So that a letter of nothing but its end is seen.
        if (inLetter) rest = `\r\n${rest}`;
        if (inLetter && lines.body) say(socket, 'body');
      }
    });
  });
  return {
    port: there.port,
    received: () => received,
    commands,
    connections: there.connections,
    [Symbol.asyncDispose]: () => there[Symbol.asyncDispose](),
  };
}
