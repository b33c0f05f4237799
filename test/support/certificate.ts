// Certificates for receivers on loopback, written by hand (RFC 5280), so that a test run needs no program beside node.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** PEM. Signed on its own; valid for an hour around now unless `expired`. */
export type Certificate = { key: string; cert: string };

const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  const size =
    body.length < 128
      ? [body.length]
      : body.length < 256
        ? [0x81, body.length]
        : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
};
const sequence = (...parts: Uint8Array[]): Buffer => der(0x30, ...parts);
const oid = (...bytes: number[]): Buffer => der(0x06, Buffer.from(bytes));
const octets = (bytes: Uint8Array): Buffer => der(0x04, bytes);
const time = (ms: number): Buffer =>
  der(0x18, Buffer.from(new Date(ms).toISOString().replace(/[-:T]/g, '').replace(/\.\d+/, '')));

const ECDSA_SHA256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
const HOUR_MS = 3_600_000;

/** `names` are DNS names and IPv4 addresses it is good for. */
export function certificateFor(names: readonly string[], { expired = false } = {}): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const now = Date.now() - (expired ? 10 * HOUR_MS : 0);
  // A name of its own: whoever trusts two of one name is given the wrong one of them to check against.
  const name = `a receiver of a test ${randomBytes(8).toString('hex')}`;
  const subject = sequence(der(0x31, sequence(oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from(name)))));
  const alternatives = names.map((name) =>
    /^[\d.]+$/.test(name)
      ? der(0x87, Buffer.from(name.split('.').map(Number)))
      : der(0x82, Buffer.from(name)),
  );
  const extension = (id: number, value: Buffer): Buffer => sequence(oid(0x55, 0x1d, id), octets(value));
  const extensions = sequence(
    extension(0x11, sequence(...alternatives)),
    extension(0x13, sequence(der(0x01, Buffer.from([0xff])))),
  );
  const signed = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_SHA256,
    subject,
    sequence(time(now - HOUR_MS), time(now + HOUR_MS)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signature = sign('sha256', signed, privateKey);
  const whole = sequence(signed, ECDSA_SHA256, der(0x03, Buffer.from([0]), signature));
  const lines = whole.toString('base64').replace(/.{64}/g, '$&\n').trimEnd();
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}
