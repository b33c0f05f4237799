// TLS is always verified, against the name of the host and never against the address that was pinned.
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { postPinned } from '../../src/net/post.ts';
import { certificateFor, type Certificate } from '../support/certificate.ts';
import { rawReceiver, receiver, type Receiver } from '../support/receiver.ts';

const usual = getCACertificates('default');
afterEach(() => setDefaultCACertificates(usual));

const trust = ({ cert }: Certificate): void => setDefaultCACertificates([...usual, cert]);
const post = ({ port }: Receiver, host = 'hooks.invalid') =>
  postPinned({
    url: `https://${host}:${port}/in`,
    addresses: ['127.0.0.1'],
    headers: {},
    body: '{}',
    timeoutMs: 5_000,
  });
const FAILS = { status: null, error: 'certificate' };

test('a certificate for the host from an authority that is trusted is taken, and the host is named to the receiver', async () => {
  const certificate = certificateFor(['hooks.invalid', '127.0.0.1']);
  trust(certificate);
  let named: string | false | null = null;
  await using there = await receiver((response, request) => {
    named = 'servername' in request.socket ? (request.socket.servername as string | false) : null;
    response.end();
  }, certificate);
  expect(await post(there)).toEqual({ status: 200, error: null });
  expect(named).toBe('hooks.invalid');
  expect(await post(there, '127.0.0.1'), 'a host that is an address').toEqual({ status: 200, error: null });
  expect(named, 'an address is never named (RFC 6066)').toBe(false);
});

test('a certificate that no one vouches for is refused, and the body is not sent', async () => {
  await using there = await receiver((response) => response.end(), certificateFor(['hooks.invalid']));
  expect(await post(there)).toEqual(FAILS);
  expect(there.arrived).toHaveLength(0);
});

test('a certificate of another name is refused, also when it is good for the address', async () => {
  const certificate = certificateFor(['other.invalid', '127.0.0.1']);
  trust(certificate);
  await using there = await receiver((response) => response.end(), certificate);
  expect(await post(there)).toEqual(FAILS);
  expect(there.arrived).toHaveLength(0);
});

test('a certificate that has expired is refused', async () => {
  const certificate = certificateFor(['hooks.invalid'], { expired: true });
  trust(certificate);
  await using there = await receiver((response) => response.end(), certificate);
  expect(await post(there)).toEqual(FAILS);
});

test('a receiver that speaks no TLS is told apart from one whose certificate is bad', async () => {
  await using there = await rawReceiver((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  expect(await post(there)).toEqual({ status: null, error: 'tls' });
});

test('a handshake that hangs is ended by the deadline', async () => {
  await using there = await rawReceiver(() => {});
  const url = `https://hooks.invalid:${there.port}/`;
  expect(await postPinned({ url, addresses: ['127.0.0.1'], headers: {}, body: '', timeoutMs: 300 })).toEqual({
    status: null,
    error: 'timeout',
  });
});
