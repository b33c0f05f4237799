// An authenticator of the test's own: makes passkeys and signs challenges as a browser would hand them over, and can be told to
// lie about each thing that must be looked at.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export type Lies = {
  origin?: string;
  party?: string;
  /** Whether the person was known, by a finger or a PIN. */
  verified?: boolean;
  counter?: number;
  type?: string;
  handle?: string;
};

export type Authenticator = {
  make(options: any, lies?: Lies): any;
  prove(options: any, lies?: Lies): any;
};

const b64 = (bytes: Buffer | string): string => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest();
const PRESENT = 0x01;
const VERIFIED = 0x04;
const WITH_KEY = 0x40;

/** `origin` is that of the pages it is asked from. */
export function authenticator(origin: string): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(16);
  let counter = 0;
  let handle = '';
  const client = (type: string, challenge: string, lies: Lies): Buffer =>
    Buffer.from(JSON.stringify({ type: lies.type ?? type, challenge, origin: lies.origin ?? origin }));
  const head = (party: string, flags: number, lies: Lies): Buffer => {
    const rest = Buffer.alloc(5);
    rest[0] = flags | (lies.verified === false ? 0 : VERIFIED);
    rest.writeUInt32BE(lies.counter ?? ++counter, 1);
    return Buffer.concat([sha256(lies.party ?? party), rest]);
  };
  return {
    make({ challenge, rp, user }, lies = {}) {
      handle = user.id;
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      // COSE: {1: 2, 3: -7, -1: 1, -2: x, -3: y}
      const key = Buffer.concat([
        Buffer.from('a50102032620012158' + '20', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ]);
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]);
      const data = Buffer.concat([head(rp.id, PRESENT | WITH_KEY, lies), attested]);
      // CBOR: {"fmt": "none", "attStmt": {}, "authData": data}
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.from([data.length]),
        data,
      ]);
      return {
        id: b64(id),
        rawId: b64(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: b64(client('webauthn.create', challenge, lies)),
          attestationObject: b64(attestation),
          transports: ['internal'],
        },
      };
    },
    prove({ challenge, rpId }, lies = {}) {
      const data = head(rpId, PRESENT, lies);
      const said = client('webauthn.get', challenge, lies);
      return {
        id: b64(id),
        rawId: b64(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: b64(said),
          authenticatorData: b64(data),
          signature: b64(sign('sha256', Buffer.concat([data, sha256(said)]), privateKey)),
          userHandle: lies.handle ?? handle,
        },
      };
    },
  };
}
