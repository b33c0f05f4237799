// A mail server in a process of its own, which no one kills: it counts a letter when its end has arrived, before it answers.
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

process.on('disconnect', () => process.exit(0));

/** By Message-ID, how often its end arrived. */
const arrived = new Map<string, number>();
const server = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  authOptional: true,
  disableReverseLookup: true,
  onData(stream, _session, done) {
    const pieces: Buffer[] = [];
    stream.on('data', (piece: Buffer) => pieces.push(piece));
    stream.on('end', () => {
      const [, id = ''] =
        /^message-id: *(?:\r\n[ \t])?(<[^>]+>)/im.exec(Buffer.concat(pieces).toString('latin1')) ?? [];
      arrived.set(id, (arrived.get(id) ?? 0) + 1);
      process.send?.({ kind: 'letter' });
      // Some answers take their time, so that kills fall between an end and its answer too.
      setTimeout(() => done(null, 'OK queued'), Math.random() * 8);
    });
  },
});
server.on('error', () => undefined);
server.listen(0, '127.0.0.1', () =>
  process.send?.({ kind: 'port', port: (server.server.address() as AddressInfo).port }),
);
process.on('message', (asked) => {
  if (asked === 'report') process.send?.({ kind: 'report', arrived: [...arrived] });
});
