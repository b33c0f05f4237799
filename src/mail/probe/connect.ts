// The socket of a probe: opened only to checked addresses, and upgraded to TLS where the host offers it. Nothing else
// in mail verification touches the network.
import { connect as openSocket, type Socket } from 'node:net';
import { connect as openTls } from 'node:tls';
import { pinnedLookup } from '../../net/pin.ts';

export type Target = {
  /** The name that TLS is told; the addresses are those that were checked for it. */
  host: string;
  addresses: readonly string[];
  port: number;
  timeoutMs: number;
};

/** Resolves whatever happens. `timeout` and `refused` are told apart for the evidence; neither says anything of a mailbox. */
export type Connect = (
  target: Target,
) => Promise<{ ok: true; socket: Socket } | { ok: false; why: 'refused' | 'timeout' | 'unreachable' }>;

export const connectPinned: Connect = ({ host, addresses, port, timeoutMs }) =>
  new Promise((resolve) => {
    const socket = openSocket({
      host,
      port,
      lookup: pinnedLookup(addresses),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: 1_000,
    });
    const fail = (why: 'refused' | 'timeout' | 'unreachable'): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ ok: false, why });
    };
    const timer = setTimeout(() => fail('timeout'), timeoutMs);
    // Stays for the life of the socket: one that breaks off later must not end the process.
    socket.on('error', (error) =>
      fail('code' in error && error.code === 'ECONNREFUSED' ? 'refused' : 'unreachable'),
    );
    socket.once('connect', () => {
      clearTimeout(timer);
      resolve({ ok: true, socket });
    });
  });

/**
 * TLS over the open socket, or null. The certificate is not verified: nothing secret is said, mail hosts seldom have one
 * for the name in the MX record, and the other choice would be to say the same without any TLS (RFC 7435).
 */
export function upgrade(socket: Socket, host: string, timeoutMs: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const secure = openTls({ socket, servername: host, rejectUnauthorized: false });
    const timer = setTimeout(() => end(null), timeoutMs);
    function end(found: Socket | null): void {
      clearTimeout(timer);
      if (!found) secure.destroy();
      resolve(found);
    }
    secure.on('error', () => end(null));
    secure.once('close', () => end(null));
    secure.once('secureConnect', () => end(secure));
  });
}
