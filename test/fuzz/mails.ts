// Mail as no one should send it: fields without end, parts in parts, encodings that lie, reports with holes in them, and good
// mail with a few bytes changed.
import type { Chance } from './chance.ts';
import { hostileText, mutated } from './texts.ts';

const TYPES = [
  'text/plain',
  'text/plain; charset=utf-8',
  'text/plain; charset=utf-7',
  'text/plain; charset=x',
  'text/html',
  'text/calendar',
  'message/rfc822',
  'image/png',
  'message/delivery-status',
  'message/feedback-report',
  'text/rfc822-headers',
  'application/octet-stream; name*0="a"; name*1*=%',
  'application/ms-tnef',
];
const ENCODINGS = ['7bit', '8bit', 'base64', 'quoted-printable', 'x-uuencode', 'BASE64', ''];
const FIELDS = [
  'From',
  'To',
  'Cc',
  'Reply-To',
  'Subject',
  'References',
  'In-Reply-To',
  'Received',
  'Authentication-Results',
  'Auto-Submitted',
  'Return-Path',
  'DKIM-Signature',
  'List-Unsubscribe',
  'X-Autoreply',
  'Precedence',
  'Date',
  'Message-ID',
  'ARC-Seal',
  'Content-Type',
  'X-Failed-Recipients',
];

export function anyMail(chance: Chance): Buffer {
  const mail = Buffer.from(chance.once(3) ? wild(chance) : likely(chance));
  return chance.once(3) ? mutated(chance, mail) : mail;
}

function likely(chance: Chance): string {
  const from = chance.pick([
    'Dana Roe <dana@acme.example>',
    '<>',
    `"${hostileText(chance, 300)}" <n${chance.int(500)}@acme.example>`,
  ]);
  return [
    `From: ${from}`,
    `To: ada@desk.example`,
    `Subject: ${chance.pick(['Re: Your bridge', 'unsubscribe', 'Undelivered Mail Returned to Sender', hostileText(chance, 500)])}`,
    `Message-ID: <${chance.int(2 ** 31)}.${chance.int(2 ** 31)}@acme.example>`,
    'Date: Wed, 04 Mar 2026 10:00:00 +0000',
    'MIME-Version: 1.0',
    part(chance, chance.pick([0, 1, 3])),
  ].join('\r\n');
}

function wild(chance: Chance): string {
  const fields = Array.from(
    { length: 1 + chance.int(chance.pick([5, 60, 2_000])) },
    () => `${chance.pick(FIELDS)}: ${hostileText(chance, 300).replaceAll('\n', chance.once(4) ? '\n' : ' ')}`,
  );
  return [...fields, part(chance, chance.pick([0, 2, 8, 60]))].join(chance.once(8) ? '\n' : '\r\n');
}

function part(chance: Chance, depth: number): string {
  if (depth > 0) {
    const boundary = chance.pick(['b', `b${depth}`, '-', `"${'-'.repeat(60)}"`]);
    const inner = Array.from(
      { length: depth > 2 ? 1 : 1 + chance.int(3) },
      () => `--${boundary}\r\n${part(chance, depth - 1)}`,
    );
    const kind = chance.pick([
      'mixed',
      'alternative',
      'related',
      'report; report-type=delivery-status',
      'report; report-type=feedback-report',
      'signed',
      'x',
    ]);
    const end = chance.once(5) ? '' : `\r\n--${boundary}--`;
    return `Content-Type: multipart/${kind}; boundary=${boundary}\r\n\r\n${inner.join('\r\n')}${end}`;
  }
  const encoding = chance.pick(ENCODINGS);
  const text = body(chance);
  const shown =
    encoding.toLowerCase() === 'base64' && !chance.once(4) ? Buffer.from(text).toString('base64') : text;
  return `Content-Type: ${chance.pick(TYPES)}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${shown}`;
}

function body(chance: Chance): string {
  const most = chance.once(25) ? 2_000_000 : 31_000;
  if (chance.once(3)) return html(chance, most);
  if (chance.once(5))
    return `Reporting-MTA: dns; mx\r\n\r\nFinal-Recipient: ${hostileText(chance, 200)}\r\nAction: failed\r\nStatus: 5.${chance.int(9)}.${chance.int(20)}\r\nDiagnostic-Code: ${hostileText(chance, 3_000)}`;
  return hostileText(chance, most);
}

function html(chance: Chance, most: number): string {
  const tag = chance.pick([
    'div',
    'blockquote',
    'table><tr><td',
    'span style="a:b"',
    'a href="x"',
    'p',
    'svg',
    'style',
    '!--',
  ]);
  const deep = chance.pick([1, 30, 900, 9_000]);
  return `<html>${`<${tag}>`.repeat(deep)}${hostileText(chance, most)}${chance.once(2) ? `</${tag.split(/[ >]/)[0]}>`.repeat(deep) : ''}`;
}
