// DKIM (RFC 6376, 8301, 8463): keys, the text of the record that publishes them, and a letter’s signature.
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  sign as signWith,
} from 'node:crypto';
import { domainToASCII } from 'node:url';
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

/**
 * Signed once more than the letter has them, absent ones included (RFC 6376 sections 5.4.2 and 8.15): no one on the way can
 * add a second one that a reader would see instead.
 */
const ALWAYS_CLOSED = ['From', 'To', 'Cc', 'Reply-To', 'Subject', 'Date', 'Message-ID'];
/**
 * The same where the letter has them. A mailing list or a relay may add what it lacks. The two of one-click unsubscribing must
 * be covered (RFC 8058 section 4).
 */
const CLOSED_WHERE_PRESENT = [
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
/** Off the main thread: an RSA signature takes a millisecond. */
const sign = promisify(signWith);

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
  const { algorithm, selector } = signing;
  const domain = domainToASCII(signing.domain);
  const key = createPrivateKey(signing.private_key.reveal());
  // A letter that was to be signed never goes without a signature, and never with one that no verifier reads.
  if (key.asymmetricKeyType !== algorithm || !NAME.test(domain) || !NAME.test(selector))
    throw new Error(`the letter could not be signed for ${signing.domain}`);
  const { fields, body } = relaxed(letter);
  const covered = [
    ...ALWAYS_CLOSED.map((name) => ({ name, times: fieldsOf(fields, name).length + 1 })),
    ...CLOSED_WHERE_PRESENT.flatMap((name) => {
      const times = fieldsOf(fields, name).length;
      return times === 0 ? [] : { name, times: times + 1 };
    }),
  ];
  const names = covered.flatMap(({ name, times }) => Array.from({ length: times }, () => name));
  const lines = [
    `DKIM-Signature: v=1; a=${algorithm}-sha256; c=relaxed/relaxed;`,
    ` d=${domain}; s=${selector}; t=${Math.floor(at.getTime() / 1000)};`,
    ` h=${folded(names, ':')};`,
    ` bh=${createHash('sha256').update(body, 'latin1').digest('base64')};`,
    ' b=',
  ].join('\r\n');
  // Of several fields with one name the last is the first to be signed; one that is not there adds nothing.
  const signed = covered.flatMap(({ name }) => fieldsOf(fields, name).toReversed());
  const data = Buffer.from([...signed, relaxedField(lines)].join('\r\n'), 'latin1');
  // RFC 8463: what Ed25519 signs is the hash.
  const signature =
    algorithm === 'rsa'
      ? await sign('sha256', data, key)
      : await sign(null, createHash('sha256').update(data).digest(), key);
  const text = signature.toString('base64').match(/.{1,72}/g) ?? [];
  return Buffer.concat([Buffer.from(`${lines}${text.join('\r\n ')}\r\n`, 'latin1'), letter]);
}

/** Of a domain and of a selector, as it may be in a tag. */
const NAME = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/;

/** A letter of our own in relaxed canonicalization (RFC 6376 section 3.4): its fields in order, and its body. */
function relaxed(letter: Buffer): { fields: string[]; body: string } {
  const text = letter.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  const head = end === -1 ? text : text.slice(0, end);
  const lines =
    end === -1
      ? []
      : text
          .slice(end + 4)
          .split('\r\n')
          .map(relaxedLine);
  while (lines.at(-1) === '') lines.pop();
  return {
    fields: head.split(/\r\n(?![ \t])/).map(relaxedField),
    body: lines.length === 0 ? '' : `${lines.join('\r\n')}\r\n`,
  };
}

const relaxedLine = (line: string): string => {
  const single = line.replace(/[ \t]+/g, ' ');
  return single.endsWith(' ') ? single.slice(0, -1) : single;
};

function relaxedField(field: string): string {
  const unfolded = relaxedLine(field.replaceAll('\r\n', ''));
  const colon = unfolded.indexOf(':');
  return `${unfolded.slice(0, colon).trim().toLowerCase()}:${unfolded.slice(colon + 1).trim()}`;
}

const fieldsOf = (fields: readonly string[], name: string): string[] =>
  fields.filter((field) => field.startsWith(`${name.toLowerCase()}:`));

/** In lines of no more than 78 octets. */
function folded(names: readonly string[], by: string): string {
  const lines: string[] = [];
  for (const name of names) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + name.length < 70) lines[lines.length - 1] = `${last}${by}${name}`;
    else lines.push(name);
  }
  return lines.join(`${by}\r\n `);
}
