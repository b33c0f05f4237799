// Text made to be costly: long runs of what patterns repeat over, nesting, broken encodings, and the vocabulary of mail,
// templates and tables in the wrong places.
import type { Chance } from './chance.ts';

/** What a pattern with a repeat in it runs over, alone or in turn. */
const UNITS = [
  '-',
  '--',
  '_',
  '=',
  '.',
  ',',
  ' ',
  '\t',
  '\n',
  '\r\n',
  '\r',
  '>',
  '> ',
  '|',
  '*',
  '#',
  '"',
  "'",
  '\\',
  '/',
  '(',
  ')',
  '[',
  ']',
  '{{',
  '}}',
  '{{ ',
  '{% ',
  '%}',
  '<',
  '<div>',
  '</div>',
  '<a href=',
  '&',
  '&lt;',
  '&#x0;',
  ';',
  ':',
  '@',
  'a@',
  'a.',
  '.a',
  '+',
  ',dank.',
  'thanks.',
  'x',
  'aA1',
  '0',
  '9',
  'é',
  '한',
  '😀',
  '\u0000',
  '\u202e',
  '\u200b',
  '\ufeff',
  '\ud800',
  '\u2028',
  '=?utf-8?q?',
  '?=',
  '=C3',
  '%00',
  '%2e',
  '../',
  "'--",
  '$(',
  '${',
  '\u001b[',
  'On ',
  ' wrote:',
  'From: ',
  '\nTo: ',
  '\n>',
  '\n ',
  '\n\n',
  '-- \n',
] as const;

const WORDS = [
  'unsubscribe',
  'please stop',
  'Abmelden',
  'dank',
  'hello',
  'Sehr geehrte Damen',
  '-----Original Message-----',
  '________________________________',
  'On Mon, 2 Mar 2026 at 10:00, Dana Roe <dana@acme.example> wrote:',
  'Am Montag, 2. März 2026 schrieb Dana:',
  'Le lun. 2 mars 2026 à 10:00, Dana a écrit :',
  'From: Dana Roe',
  'Sent: Monday',
  'Subject: Re: Your bridge',
  'Out of office until 12/03/2026',
  'Ich bin bis zum 12.03.2026 nicht im Büro',
  '550 5.1.1 User unknown',
  'Final-Recipient: rfc822; dana@acme.example',
  'Action: failed',
  'Status: 5.1.1',
  'https://example.com/?a=1&b=2',
  '{{ person.name }}',
  '{{ trigger.person_id }}',
  '{{ steps.a.answer | upcase }}',
  '{% if person.name %}',
  '{% for i in (1..100000) %}',
  '{% endfor %}',
  '=SUM(A1:A9)',
  '@here',
  '+1 202 555 0100',
  'constructor',
  '__proto__',
  'toString',
  'null',
  'NaN',
  '1e999',
  '-0',
  '2026-02-30',
  '99999-12-31T25:61:61Z',
] as const;

/** Mostly short; now and then as long as someone would dare to send. */
export function size(chance: Chance, most: number): number {
  const part = chance.pick([0.001, 0.01, 0.1, 0.3, 1]);
  return 1 + chance.int(Math.max(1, Math.floor(most * part)));
}

export function hostileText(chance: Chance, most: number): string {
  const wanted = size(chance, most);
  let text = '';
  while (text.length < wanted) {
    const left = wanted - text.length;
    const unit = chance.once(3) ? chance.pick(UNITS) + chance.pick(UNITS) : chance.pick(UNITS);
    const run = chance.pick([1, 3, 40, 150, 2_500, 30_000]);
    text += chance.once(3)
      ? chance.pick(WORDS) + chance.pick([' ', '\n', '', ', '])
      : unit.repeat(Math.max(1, Math.min(run, Math.floor(left / unit.length))));
    if (chance.once(4)) text += chance.pick(['!', '1', 'x', '\n', ':', '.']);
  }
  return text;
}

/** Some of these bytes are others, gone, twice, or cut. */
export function mutated(chance: Chance, bytes: Buffer): Buffer {
  let out = Buffer.from(bytes);
  for (let times = 1 + chance.int(6); times > 0 && out.length > 0; times--) {
    const at = chance.int(out.length);
    const end = Math.min(out.length, at + 1 + chance.int(64));
    const way = chance.int(6);
    if (way === 0) out[at] = chance.int(256);
    else if (way === 1) out = Buffer.concat([out.subarray(0, at), out.subarray(end)]);
    else if (way === 2) {
      const part = out.subarray(at, end);
      const copies = Array.from({ length: chance.pick([1, 10, 400]) }, () => part);
      out = Buffer.concat([out.subarray(0, at), ...copies, out.subarray(at)]);
    } else if (way === 3) out = out.subarray(0, at);
    else if (way === 4)
      out = Buffer.concat([out.subarray(0, at), Buffer.from(hostileText(chance, 4_000)), out.subarray(at)]);
    else out = Buffer.concat([out.subarray(at), out.subarray(0, at)]);
  }
  return out;
}
