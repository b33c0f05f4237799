// Signatures are checked twice: by a verifier, and by hand from RFC 6376 with nothing but node's own cryptography.
import { createHash, createPublicKey, verify as verifyWith } from 'node:crypto';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { describe, expect, test } from 'vitest';
import { dkimRecord, newDkimKey, type DkimAlgorithm } from '../../../src/mail/compose/dkim.ts';
import { bytesOf, header } from './sample.ts';

const signed = async (algorithm: DkimAlgorithm, changes = {}) => {
  const key = await newDkimKey(algorithm);
  const dkim = { domain: 'sender.example', selector: 's1', private_key: key.private_key, algorithm };
  return { key, bytes: await bytesOf({ ...changes, dkim }), again: await bytesOf({ ...changes, dkim }) };
};

const verdict = async (bytes: Buffer, record: string) => {
  const { results } = await dkimVerify(bytes, {
    resolver: (name) => Promise.resolve(name === 's1._domainkey.sender.example' ? [[record]] : []),
  });
  return results.map(({ status }) => status.result);
};

const tagsOf = (value: string): Map<string, string> =>
  new Map(
    value
      .split(';')
      .map((tag) => [tag.slice(0, tag.indexOf('=')).trim(), tag.slice(tag.indexOf('=') + 1).trim()]),
  );

/** Relaxed canonicalisation (RFC 6376 section 3.4) of a letter that has one field of each name. */
function holdsByHand(bytes: Buffer, record: string): boolean {
  const [head = '', ...rest] = bytes.toString('latin1').split('\r\n\r\n');
  const fields = head.split(/\r\n(?![ \t])/);
  const relaxed = (name: string): string => {
    const field = fields.find((each) => each.toLowerCase().startsWith(`${name.toLowerCase()}:`)) ?? '';
    const value = field
      .slice(field.indexOf(':') + 1)
      .replace(/\r\n/g, '')
      .replace(/[ \t]+/g, ' ')
      .trim();
    return `${name.toLowerCase()}:${value}`;
  };
  const body = rest
    .join('\r\n\r\n')
    .split('\r\n')
    .map((line) => line.replace(/[ \t]+/g, ' ').replace(/ $/, ''))
    .join('\r\n')
    .replace(/(\r\n)+$/, '');
  const tags = tagsOf(header(bytes, 'dkim-signature')[0] ?? '');
  if (
    createHash('sha256').update(`${body}\r\n`, 'latin1').digest('base64') !==
    tags.get('bh')?.replace(/\s/g, '')
  )
    return false;
  const names = (tags.get('h') ?? '').split(':').map((name) => name.trim());
  const own = relaxed('DKIM-Signature').replace(/(; ?b=)[^;]*/, '$1');
  // A field that is listed once more than it is there adds nothing (section 5.4.2).
  const there = names.filter(
    (name, at) =>
      names.indexOf(name) === at &&
      fields.some((each) => each.toLowerCase().startsWith(`${name.toLowerCase()}:`)),
  );
  const data = Buffer.from([...there.map(relaxed), own].join('\r\n'), 'latin1');
  const published = Buffer.from(tagsOf(record).get('p') ?? '', 'base64');
  const signature = Buffer.from(tags.get('b') ?? '', 'base64');
  if (tags.get('a') === 'rsa-sha256')
    return verifyWith(
      'sha256',
      data,
      createPublicKey({ key: published, format: 'der', type: 'spki' }),
      signature,
    );
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: published.toString('base64url') };
  // RFC 8463: what is signed is the hash.
  return verifyWith(
    null,
    createHash('sha256').update(data).digest(),
    createPublicKey({ key: jwk, format: 'jwk' }),
    signature,
  );
}

describe.each(['rsa', 'ed25519'] as const)('%s', (algorithm) => {
  test('a signed letter verifies, also by hand, and the same letter has the same bytes', async () => {
    const { key, bytes, again } = await signed(algorithm, {
      subject: 'Grüße  aus   Köln',
      cc: [{ name: null, address: 'c@example.org' }],
    });
    expect(await verdict(bytes, key.record)).toEqual(['pass']);
    expect(holdsByHand(bytes, key.record)).toBe(true);
    expect(bytes.equals(again)).toBe(true);
  });

  test('a changed letter does not', async () => {
    const { key, bytes } = await signed(algorithm);
    for (const [from, to] of [
      ['the mill?', 'the bill?'],
      ['tok-123>', 'tok-124>'],
      ['One-Click', 'One-Clock'],
      ['Leeds', 'Lewes'],
    ] as const) {
      const changed = Buffer.from(bytes.toString('latin1').replace(from, to), 'latin1');
      expect(changed.equals(bytes)).toBe(false);
      expect(await verdict(changed, key.record), from).not.toEqual(['pass']);
      expect(holdsByHand(changed, key.record), from).toBe(false);
    }
  });

  test('a second sender, recipient, subject or unsubscribe link breaks the signature', async () => {
    const { key, bytes } = await signed(algorithm);
    for (const added of [
      'From: Mallory <m@evil.example>',
      'To: all@evil.example',
      'Cc: m@evil.example',
      'Reply-To: m@evil.example',
      'Subject: Pay here',
      'Date: Thu, 1 Jan 1970 00:00:00 +0000',
      'Message-ID: <1@evil.example>',
      'List-Unsubscribe: <https://evil.example/u>',
      'List-Unsubscribe-Post: List-Unsubscribe=No',
      'Content-Type: text/html',
    ]) {
      const changed = Buffer.concat([Buffer.from(`${added}\r\n`), bytes]);
      expect(await verdict(changed, key.record), added).not.toEqual(['pass']);
    }
    const relayed = Buffer.concat([Buffer.from('Received: from a by b\r\nList-Id: <x.example>\r\n'), bytes]);
    expect(await verdict(relayed, key.record)).toEqual(['pass']);
  });

  test('the record says the public half and nothing of the private one', async () => {
    const key = await newDkimKey(algorithm);
    expect(key.record).toMatch(new RegExp(`^v=DKIM1; k=${algorithm}; p=[A-Za-z0-9+/]+=*$`));
    expect(dkimRecord(algorithm, key.private_key)).toBe(key.record);
    const published = Buffer.from(tagsOf(key.record).get('p') ?? '', 'base64');
    expect(published.byteLength).toBe(algorithm === 'rsa' ? 294 : 32);
  });
});

test('what is signed holds sender, recipient, subject, date, id and both headers of unsubscribing', async () => {
  const { bytes } = await signed('ed25519');
  const names = (tagsOf(header(bytes, 'dkim-signature')[0] ?? '').get('h') ?? '')
    .split(':')
    .map((name) => name.trim());
  expect(names).toEqual(
    expect.arrayContaining([
      'From',
      'To',
      'Subject',
      'Date',
      'Message-ID',
      'List-Unsubscribe',
      'List-Unsubscribe-Post',
    ]),
  );
});

test('the signature is folded into lines that every server takes', async () => {
  const { bytes } = await signed('rsa');
  const [head = ''] = bytes.toString('latin1').split(/\r\n(?![ \t])/);
  expect(head.startsWith('DKIM-Signature: ')).toBe(true);
  expect(head.split('\r\n').filter((line) => line.length > 78)).toEqual([]);
});

test('a signature that cannot be made is a fault, and never a letter without one', async () => {
  const { private_key } = await newDkimKey('rsa');
  const dkim = { domain: 'sender.example', selector: 's1', private_key, algorithm: 'ed25519' } as const;
  await expect(bytesOf({ dkim })).rejects.toThrow('could not be signed');
});
