// A mail host on loopback that says what a test tells it to, keeps what it was told, and counts who is connected at once.
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { TLSSocket, createSecureContext } from 'node:tls';
import { certificateFor } from '../../support/certificate.ts';

/** What is said to a command; null is silence, `close` breaks off, `garbage` is no SMTP. */
export type Says = string | null;

export type Script = {
  greeting?: Says;
  ehlo?: Says;
  helo?: Says;
  mail?: Says;
  /** By the recipient; the random mailbox is whoever is not asked for. */
  rcpt?: (recipient: string) => Says;
  starttls?: 'offered' | 'refused' | 'broken' | 'talkative';
  smtputf8?: boolean;
};

export type MailHost = {
  port: number;
  /** Everything heard, TLS or not, in order. */
  heard: string[];
  /** Commands that came inside TLS. */
  secret: string[];
  most_at_once: number;
  script: Script;
  [Symbol.asyncDispose](): Promise<void>;
};

export async function mailHost(script: Script = {}): Promise<MailHost> {
  const { key, cert } = certificateFor(['mx.example.com']);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    host.most_at_once = Math.max(host.most_at_once, sockets.size);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    say(socket, host.script.greeting === undefined ? '220 mx.example.com ready' : host.script.greeting);
    listen(socket, false);
  });

  function listen(socket: Socket, isSecret: boolean): void {
    let text = '';
    const onData = (chunk: Buffer): void => {
      text += chunk.toString('utf8');
      for (let end = text.indexOf('\r\n'); end !== -1; end = text.indexOf('\r\n')) {
        const line = text.slice(0, end);
        text = text.slice(end + 2);
        host.heard.push(line);
        if (isSecret) host.secret.push(line);
        if (line === 'STARTTLS') {
          socket.off('data', onData);
          return startTls(socket);
        }
        answer(socket, line, isSecret);
      }
    };
    socket.on('data', onData);
  }

  function startTls(socket: Socket): void {
    const { starttls } = host.script;
    if (starttls === 'refused') {
      say(socket, '454 4.7.0 no TLS today');
      return listen(socket, false);
    }
    say(socket, starttls === 'talkative' ? '220 go ahead\r\n250 injected' : '220 go ahead');
    if (starttls === 'broken') return void socket.once('data', () => socket.write('this is not TLS\r\n'));
    const secure = new TLSSocket(socket, {
      isServer: true,
      secureContext: createSecureContext({ key, cert }),
    });
    secure.on('error', () => undefined);
    listen(secure, true);
  }

  function answer(socket: Socket, line: string, isSecret: boolean): void {
    const { ehlo, helo, mail, rcpt, starttls, smtputf8 } = host.script;
    const extensions = [
      ...(starttls && !isSecret ? ['STARTTLS'] : []),
      ...(smtputf8 ? ['SMTPUTF8'] : []),
      'SIZE 1000',
    ];
    if (line.startsWith('EHLO'))
      say(
        socket,
        ehlo === undefined
          ? ['mx.example.com', ...extensions]
              .map((each, at, { length }) => `250${at < length - 1 ? '-' : ' '}${each}`)
              .join('\r\n')
          : ehlo,
      );
    else if (line.startsWith('HELO')) say(socket, helo === undefined ? '250 hello' : helo);
    else if (line.startsWith('MAIL')) say(socket, mail === undefined ? '250 2.1.0 ok' : mail);
    else if (line.startsWith('RCPT')) say(socket, (rcpt ?? onlyAnn)(/<(.*)>/.exec(line)?.[1] ?? ''));
    else if (line === 'QUIT') socket.end('221 bye\r\n');
    else say(socket, '500 what');
  }

  const host: MailHost = {
    port: 0,
    heard: [],
    secret: [],
    most_at_once: 0,
    script,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host.port = (server.address() as AddressInfo).port;
  return host;
}

export const onlyAnn = (recipient: string): string =>
  recipient.startsWith('ann@') ? '250 2.1.5 ok' : `550 5.1.1 <${recipient}> user unknown`;

function say(socket: Socket, says: Says): void {
  if (says === null) return;
  if (says === 'close') socket.destroy();
  else socket.write(says === 'garbage' ? 'HTTP/1.1 400 Bad Request\r\n' : `${says}\r\n`);
}
