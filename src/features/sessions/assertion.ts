// Whether a passkey's proof holds (Web Authentication level 3, §7.2). The library reads the bytes and node checks the signature:
// the library's own check cannot read a signature of P-256 beside another version of the ASN.1 reader that mail leans on.
import { createHash, createPublicKey, verify } from 'node:crypto';
import {
  decodeClientDataJSON,
  decodeCredentialPublicKey,
  parseAuthenticatorData,
} from '@simplewebauthn/server/helpers';
import type { PasskeyProof } from './passkeys.contract.ts';
import type { RelyingParty } from './passkeys.rules.ts';

type Kept = { public_key: Buffer; counter: number };

/** The counter that the authenticator names, or null where the proof does not hold. `fits` judges the challenge. */
export function verifiedCounter(
  { response }: PasskeyProof,
  kept: Kept,
  party: RelyingParty,
  fits: (challenge: string) => boolean,
): number | null {
  try {
    const said = decodeClientDataJSON(response.clientDataJSON);
    if (said.type !== 'webauthn.get' || said.origin !== party.origin || said.crossOrigin === true)
      return null;
    if (!fits(said.challenge)) return null;
    const bytes = Buffer.from(response.authenticatorData, 'base64url');
    const { rpIdHash, flags, counter } = parseAuthenticatorData(new Uint8Array(bytes));
    if (!sha256(party.id).equals(rpIdHash) || !flags.up || !flags.uv) return null;
    // Nought for ever tells nothing; a counter that does not go on tells that somebody has a copy of the key.
    if ((counter > 0 || kept.counter > 0) && counter <= kept.counter) return null;
    const signed = Buffer.concat([bytes, sha256(Buffer.from(response.clientDataJSON, 'base64url'))]);
    return signatureFits(kept.public_key, signed, Buffer.from(response.signature, 'base64url'))
      ? counter
      : null;
  } catch {
    // Bytes that cannot be read at all.
    return null;
  }
}

const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest();

/** Labels of a COSE key (RFC 9052, RFC 9053, RFC 8230). */
const TYPE = 1;
const ALGORITHM = 3;

function signatureFits(cose: Buffer, signed: Buffer, signature: Buffer): boolean {
  const key = decodeCredentialPublicKey(new Uint8Array(cose)) as unknown as Map<number, unknown>;
  const part = (label: number): string => Buffer.from(key.get(label) as Uint8Array).toString('base64url');
  const as = (jwk: Record<string, string>) => createPublicKey({ key: jwk, format: 'jwk' });
  switch (`${String(key.get(TYPE))}/${String(key.get(ALGORITHM))}`) {
    case '1/-8':
      return verify(null, signed, as({ kty: 'OKP', crv: 'Ed25519', x: part(-2) }), signature);
    case '2/-7':
      return verify('sha256', signed, as({ kty: 'EC', crv: 'P-256', x: part(-2), y: part(-3) }), signature);
    case '3/-257':
      return verify('sha256', signed, as({ kty: 'RSA', n: part(-1), e: part(-2) }), signature);
    default:
      return false;
  }
}
