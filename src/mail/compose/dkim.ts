// DKIM (RFC 6376, 8301, 8463): keys, the text of the record that publishes them, and the signature of a letter.
import { createPrivateKey, createPublicKey, generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { Secret } from '../../kernel/secret.ts';

export type DkimAlgorithm = 'rsa' | 'ed25519';

/** `private_key` is PEM, PKCS #8. */
export type DkimSigning = {
  domain: string;
  selector: string;
  private_key: Secret;
  algorithm: DkimAlgorithm;
};

/** `record` is the text of the TXT record at `<selector>._domainkey.<domain>`; over 255 octets it is split by the zone. */
export type DkimKey = { algorithm: DkimAlgorithm; private_key: Secret; record: string };

/** 2048 bits: RFC 8301 advises it, and a longer key does not fit one DNS answer of 512 octets. */
const RSA_BITS = 2048;

/** What a signature covers, where the letter has it. The two of one-click unsubscribing must stand here (RFC 8058 section 4). */
const SIGNED_HEADERS = [
  'From',
  'To',
  'Cc',
  'Reply-To',
  'Subject',
  'Date',
  'Message-ID',
  'In-Reply-To',
  'References',
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
  'Feedback-ID',
  'MIME-Version',
  'Content-Type',
  'Content-Transfer-Encoding',
];

const newPair = promisify(generateKeyPair);

export async function newDkimKey(algorithm: DkimAlgorithm): Promise<DkimKey> {
  const { privateKey } =
    algorithm === 'rsa' ? await newPair('rsa', { modulusLength: RSA_BITS }) : await newPair('ed25519');
  const pem = new Secret(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  return { algorithm, private_key: pem, record: dkimRecord(algorithm, pem) };
}

/** The record of a key, from its private half. RSA is published as SubjectPublicKeyInfo, Ed25519 as its bare 32 octets. */
export function dkimRecord(algorithm: DkimAlgorithm, privateKey: Secret): string {
  const spki = createPublicKey(createPrivateKey(privateKey.reveal())).export({ type: 'spki', format: 'der' });
  const published = algorithm === 'rsa' ? spki : spki.subarray(-32);
  return `v=DKIM1; k=${algorithm}; p=${published.toString('base64')}`;
}

/** The letter with its signature on top. `at` is the time of the letter, so that the same letter has the same signature. */
export async function signDkim(letter: Buffer, signing: DkimSigning, at: Date): Promise<Buffer> {
  const key = {
    signingDomain: signing.domain,
    selector: signing.selector,
    privateKey: signing.private_key.reveal(),
    algorithm: `${signing.algorithm}-sha256`,
  };
  // Read where the first letter is signed: a process that only serves signs none.
  const { dkimSign } = await import('mailauth/lib/dkim/sign.js');
  const { signatures, errors } = await dkimSign(letter, {
    ...key,
    canonicalization: 'relaxed/relaxed',
    signTime: at,
    headerList: SIGNED_HEADERS,
    signatureData: [key],
  });
  // The library goes on without a signature; a letter that was to be signed must not.
  if (signatures === '' || errors.length > 0)
    throw new Error(`the letter could not be signed for ${signing.domain}`);
  return Buffer.concat([Buffer.from(signatures), letter]);
}
