// Answers as the programs that people write in put them together.
import { answer, escaped, OURS, quoted } from './case.ts';
import type { Case, Expected, Letter } from './case.ts';

type Program = (words: string) => Letter;

const NORA = 'Nora Finch <nora@dunnock.example>';
const GMAIL_LINE = `On Wed, Dec 3, 2025 at 9:00 AM Nora Finch <nora@dunnock.example> wrote:`;
const BLOCK = `From: ${NORA}\nSent: Wednesday, December 3, 2025 9:00 AM\nTo: Ada Roe <ada@example.org>\nSubject: A question`;
const HTML_BLOCK = BLOCK.split('\n')
  .map((line) => escaped(line).replace(/^(\w+:)/, '<b>$1</b>'))
  .join('<br>');

export const PROGRAMS: Readonly<Record<string, Program>> = {
  'Gmail in a browser': (words) => ({
    text: `${words}\n\n${GMAIL_LINE}\n\n${quoted(OURS)}\n`,
    html:
      `<div dir="ltr">${escaped(words)}</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">` +
      `${escaped(GMAIL_LINE)}<br></div><blockquote class="gmail_quote" style="margin:0 0 0 .8ex">${escaped(OURS)}</blockquote></div>`,
  }),
  'Gmail, its line folded': (words) => ({
    text: `${words}\n\nOn Wed, Dec 3, 2025 at 9:00 AM Nora Finch of the Long House <\nnora@dunnock.example> wrote:\n\n${quoted(OURS)}\n`,
  }),
  'Gmail, folded over three lines': (words) => ({
    text: `${words}\n\nOn Wed, Dec 3, 2025 at 9:00 AM\nNora Finch of the Long House\n<nora@dunnock.example> wrote:\n\n${quoted(OURS)}\n`,
  }),
  'Gmail on a telephone': (words) => ({
    html: `<div dir="auto">${escaped(words)}</div><br><div class="gmail_quote"><div>${escaped(GMAIL_LINE)}</div><blockquote class="gmail_quote">${escaped(OURS)}</blockquote></div>`,
  }),
  'Outlook for Windows': (words) => ({
    text: `${words}\n\n${BLOCK}\n\n${OURS}\n`,
    html:
      `<div class="WordSection1"><p class="MsoNormal">${escaped(words)}<o:p></o:p></p><p class="MsoNormal"><o:p>&nbsp;</o:p></p>` +
      `<div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal">${HTML_BLOCK}</p></div></div><p class="MsoNormal">${escaped(OURS)}</p></div>`,
  }),
  'Outlook for Windows, HTML alone': (words) => ({
    html:
      `<style>p.MsoNormal{margin:0}</style><p class="MsoNormal">${escaped(words)}</p>` +
      `<div style="border-top:solid #E1E1E1 1.0pt"><p class="MsoNormal">${HTML_BLOCK}</p></div><p>${escaped(OURS)}</p>`,
  }),
  'Outlook in a browser': (words) => ({
    text: `${words}\n\n________________________________\n${BLOCK}\n\n${OURS}\n`,
    html: `<div>${escaped(words)}</div><div id="appendonsend"></div><hr><div id="divRplyFwdMsg" dir="ltr"><font>${HTML_BLOCK}</font><div>&nbsp;</div></div><div>${escaped(OURS)}</div>`,
  }),
  'Outlook on a telephone': (words) => ({
    html: `<div>${escaped(words)}</div><div id="ms-outlook-mobile-signature">Get <a href="https://aka.ms/o0ukef">Outlook for iOS</a></div><hr><div id="divRplyFwdMsg">${HTML_BLOCK}</div><div>${escaped(OURS)}</div>`,
  }),
  'Outlook of old, with its rule': (words) => ({
    text: `${words}\n\n-----Original Message-----\n${BLOCK}\n\n${OURS}\n`,
  }),
  'Apple Mail': (words) => ({
    text: `${words}\n\n> On 3 Dec 2025, at 09:00, ${NORA} wrote:\n> \n${quoted(OURS)}\n`,
    html: `<div>${escaped(words)}</div><br><div><blockquote type="cite"><div>On 3 Dec 2025, at 09:00, Nora wrote:</div><br><div>${escaped(OURS)}</div></blockquote></div>`,
  }),
  'an iPhone': (words) => ({
    text: `${words}\n\nSent from my iPhone\n\n> On 3 Dec 2025, at 09:00, ${NORA} wrote:\n> \n${quoted(OURS)}\n`,
  }),
  Thunderbird: (words) => ({
    fields: 'User-Agent: Mozilla Thunderbird\n',
    text: `${words}\n\nOn 12/3/25 09:00, Nora Finch wrote:\n${quoted(OURS)}\n`,
    html: `<p>${escaped(words)}</p><div class="moz-cite-prefix">On 12/3/25 09:00, Nora Finch wrote:<br></div><blockquote type="cite" cite="mid:x">${escaped(OURS)}</blockquote>`,
  }),
  'Thunderbird, answered below': (words) => ({
    text: `On 12/3/25 09:00, Nora Finch wrote:\n${quoted(OURS)}\n\n${words}\n`,
  }),
  Yahoo: (words) => ({
    text: `${words}\n\n    On Wednesday, December 3, 2025 at 09:00:00 AM GMT+1, ${NORA} wrote:  \n \n ${OURS.replaceAll('\n', '\n ')}\n  `,
    html: `<div class="ydp1yahoo-style-wrap"><div>${escaped(words)}</div></div><div id="ydp2yahoo_quoted_1" class="ydp2yahoo_quoted"><div>On Wednesday, December 3, 2025 at 09:00:00 AM GMT+1, Nora wrote:</div><div>${escaped(OURS)}</div></div>`,
  }),
  Proton: (words) => ({
    text: `${words}\n\nSent with Proton Mail secure email.\n\nOn Wednesday, December 3rd, 2025 at 9:00 AM, ${NORA} wrote:\n\n${quoted(OURS)}\n`,
    html: `<div>${escaped(words)}</div><div class="protonmail_quote">On Wednesday, December 3rd, 2025 at 9:00 AM, Nora wrote:<br><blockquote class="protonmail_quote" type="cite">${escaped(OURS)}</blockquote></div>`,
  }),
  'a Samsung telephone': (words) => ({
    text: `${words}\n\n\nSent from my Galaxy\n\n\n-------- Original message --------\nFrom: ${NORA}\nDate: 03/12/2025 09:00 (GMT+01:00)\nTo: Ada Roe <ada@example.org>\nSubject: A question\n\n${OURS}\n`,
  }),
  Zimbra: (words) => ({
    text: `${words}\n\n----- Original Message -----\nFrom: "Nora Finch" <nora@dunnock.example>\nTo: "Ada Roe" <ada@example.org>\nSent: Wednesday, December 3, 2025 9:00:00 AM\nSubject: A question\n\n${OURS}\n`,
  }),
  Notes: (words) => ({
    text: `${words}\n\n-----Nora Finch <nora@dunnock.example> wrote: -----\nTo: Ada Roe <ada@example.org>\nFrom: ${NORA}\nDate: 12/03/2025 09:00AM\nSubject: A question\n\n${OURS}\n`,
  }),
  'a program that quotes without a line': (words) => ({ text: `${words}\n\n${quoted(OURS)}\n` }),
};

/** What people say, and what a rule may read in it. */
const WORDS: readonly (readonly [string, Expected['reading']])[] = [
  ['Yes, we do. Call me on Monday.', 'unread'],
  ['No thank you, we are not interested.', 'unread'],
  ['Please remove me from your list.', 'unsubscribe'],
  ['Hi Nora,\n\nhow do we unsubscribe our own readers with it?\n\nAda', 'unread'],
];

export const clients: readonly Case[] = Object.entries(PROGRAMS).flatMap(([name, program]) =>
  WORDS.map(([words, reading]) =>
    answer(`${name}: ${words.slice(0, 24).replace(/\n/g, ' ')}`, program(words), {
      reading,
      stripped: words,
      stripped_whole: false,
    }),
  ),
);
