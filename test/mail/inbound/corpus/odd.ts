// Signed and encrypted letters, every charset, and mail that no standard knows.
import { answer, bytes, head, OUR_ID } from './case.ts';
import type { Case, Expected } from './case.ts';
import { inCharset } from './charset.ts';

const odd = (name: string, raw: Uint8Array | string, expected: Partial<Expected> = {}): Case => ({
  name,
  raw: typeof raw === 'string' ? bytes(raw) : raw,
  expected: { kind: 'person', reading: 'unread', ...expected },
});

const multipart = (type: string, parts: string): string =>
  `${head({})}Content-Type: multipart/${type}; boundary="=-o"\n\n${parts}`;

const SIGNED_PARTS = '--=-o\nContent-Type: text/plain\n\nYes, on cloth.\n--=-o\n';
const CLEAR =
  '-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nYes, on cloth.\n- -- a dash\n-----BEGIN PGP SIGNATURE-----\n\niQ==\n-----END PGP SIGNATURE-----';

/** A SignedData of S/MIME around a message, with every length known. */
function opaque(inner: string): string {
  const value = (tag: number, body: Uint8Array): Buffer => {
    const size = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255];
    return Buffer.concat([Uint8Array.from([tag, ...size]), body]);
  };
  const id = (last: number): Buffer =>
    value(0x06, Uint8Array.from([0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, last]));
  const content = value(0x30, Buffer.concat([id(1), value(0xa0, value(0x04, bytes(inner)))]));
  const signed = value(
    0x30,
    Buffer.concat([value(0x02, Uint8Array.from([1])), value(0x31, new Uint8Array()), content]),
  );
  return value(0x30, Buffer.concat([id(2), value(0xa0, signed)])).toString('base64');
}

const secured: readonly Case[] = [
  odd(
    'S/MIME, signed beside',
    multipart(
      'signed; protocol="application/pkcs7-signature"',
      `${SIGNED_PARTS}Content-Type: application/pkcs7-signature; name=smime.p7s\nContent-Transfer-Encoding: base64\n\nMIAG\n--=-o--\n`,
    ),
    { stripped: 'Yes, on cloth.' },
  ),
  odd(
    'S/MIME, signed around',
    `${head({})}Content-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m\nContent-Transfer-Encoding: base64\n\n${opaque('Content-Type: text/plain\n\nYes, on cloth.')}\n`,
    { stripped: 'Yes, on cloth.' },
  ),
  odd(
    'S/MIME, a wish within',
    `${head({})}Content-Type: application/pkcs7-mime; smime-type=signed-data\nContent-Transfer-Encoding: base64\n\n${opaque('Content-Type: text/plain\n\nUnsubscribe')}\n`,
    { stripped: 'Unsubscribe', reading: 'unsubscribe' },
  ),
  odd(
    'S/MIME, encrypted',
    `${head({})}Content-Type: application/pkcs7-mime; smime-type=enveloped-data\nContent-Transfer-Encoding: base64\n\nMIAG\n`,
    { stripped: '' },
  ),
  odd(
    'PGP, signed beside',
    multipart(
      'signed; protocol="application/pgp-signature"',
      `${SIGNED_PARTS}Content-Type: application/pgp-signature\n\n-----BEGIN PGP SIGNATURE-----\n--=-o--\n`,
    ),
    { stripped: 'Yes, on cloth.' },
  ),
  answer('PGP, signed in place', { text: CLEAR }, { stripped: 'Yes, on cloth.\n-- a dash' }),
  odd(
    'PGP, encrypted',
    multipart(
      'encrypted; protocol="application/pgp-encrypted"',
      '--=-o\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--=-o\nContent-Type: application/octet-stream\n\n-----BEGIN PGP MESSAGE-----\n--=-o--\n',
    ),
    { stripped: '' },
  ),
];

const RUSSIAN = 'Да, печатаем.';
const CHARSETS: readonly (readonly [charset: string, words: string])[] = [
  ['windows-1251', RUSSIAN],
  ['koi8-r', RUSSIAN],
  ['iso-8859-5', RUSSIAN],
  ['windows-1252', 'Ja – gewiß, für 5 €.'],
  ['iso-8859-1', 'Évidemment, à bientôt.'],
  ['iso-8859-2', 'Tak, oczywiście.'],
  ['iso-8859-15', 'Oui, 5 € pièce.'],
  ['windows-1253', 'Ναι, βέβαια.'],
  ['windows-1254', 'Evet, şüphesiz.'],
  ['windows-1255', 'כן.'],
  ['windows-1256', 'نعم.'],
  ['shift_jis', 'はい、対応します。'],
  ['iso-2022-jp', 'はい、対応します。'],
  ['euc-jp', 'はい、対応します。'],
  ['gb18030', '可以，没问题。'],
  ['gbk', '可以，没问题。'],
  ['big5', '可以，沒問題。'],
  ['euc-kr', '네, 가능합니다.'],
  ['utf-16le', 'Yes.'],
];

const charsets: readonly Case[] = [
  ...CHARSETS.map(([charset, words]) =>
    odd(
      `written in ${charset}`,
      `${head({})}Content-Type: text/plain; charset=${charset}\nContent-Transfer-Encoding: base64\n\n${Buffer.from(inCharset(charset, words)).toString('base64')}\n`,
      { stripped: words },
    ),
  ),
  odd(
    'a wish in windows-1251',
    `${head({})}Content-Type: text/plain; charset=windows-1251\nContent-Transfer-Encoding: base64\n\n${Buffer.from(inCharset('windows-1251', 'Отпишите меня, пожалуйста')).toString('base64')}\n`,
    { reading: 'unsubscribe' },
  ),
  odd(
    'UTF-7, which nobody may write',
    `${head({})}Content-Type: text/plain; charset=utf-7\n\n+ADw-script+AD4-\n`,
    { stripped: '+ADw-script+AD4-' },
  ),
  odd('a charset that is none', `${head({})}Content-Type: text/plain; charset=klingon\n\nYes.\n`, {
    stripped: 'Yes.',
  }),
];

const malformed: readonly Case[] = [
  odd('no header at all', 'Yes, on cloth.\n', { in_reply_to: null }),
  odd('nothing', '', { in_reply_to: null, stripped: '' }),
  odd('bare line feeds', Buffer.from(`${head({})}Content-Type: text/plain\n\nYes.\n`), {
    stripped: 'Yes.',
    in_reply_to: OUR_ID,
  }),
  odd('a boundary that never comes', `${head({})}Content-Type: multipart/mixed; boundary="=-x"\n\nYes.\n`, {
    in_reply_to: OUR_ID,
  }),
  odd('a part that never ends', multipart('mixed', '--=-o\nContent-Type: text/plain\n\nYes.\n'), {
    stripped: 'Yes.',
  }),
  odd(
    'a NUL and half a character',
    `${head({})}Content-Type: text/plain; charset=utf-8\n\nYe\u0000s.\ud800\n`,
    {},
  ),
  odd(
    'base64 that is none',
    `${head({})}Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n!!!!\n`,
    {},
  ),
  odd(
    'two subjects and two senders',
    `Subject: one\nFrom: a@example.org\n${head({})}Content-Type: text/plain\n\nYes.\n`,
    { stripped: 'Yes.' },
  ),
  odd(
    'a field without an end',
    `${head({ fields: `X-Long: ${'a'.repeat(200_000)}\n` })}Content-Type: text/plain\n\nYes.\n`,
    { stripped: 'Yes.', in_reply_to: OUR_ID },
  ),
  odd(
    'six hundred multiparts deep',
    `${head({})}${Array.from({ length: 600 }, (_, at) => `Content-Type: multipart/mixed; boundary="b${at}"\n\n--b${at}\n`).join('')}\nYes.\n`,
    { in_reply_to: OUR_ID },
  ),
  odd('a date of another age', `${head({}).replace('2025', '0000')}Content-Type: text/plain\n\nYes.\n`, {
    stripped: 'Yes.',
  }),
  odd('HTML that is cut off', `${head({})}Content-Type: text/html\n\n<div>Yes.<table><tr><td`, {}),
];

export const oddities: readonly Case[] = [...secured, ...charsets, ...malformed];
