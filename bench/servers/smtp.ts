// A mail server that takes everything and keeps nothing, for benchmarks.
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

process.on('disconnect', () => process.exit(0));

const server = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  authOptional: true,
  disableReverseLookup: true,
  onData(stream, _session, done) {
    stream.on('end', () => done(null, 'OK'));
    stream.resume();
  },
});
server.on('error', () => undefined);
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.server.address() as AddressInfo).port }));
