// What machines write: answers of people who are away, by every sign that tells them, and letters that only look so.
import { answer, letter } from './case.ts';
import type { Case, Letter } from './case.ts';

const AUTO = 'Auto-Submitted: auto-replied\n';

const away = (name: string, of: Letter, returns_on: string | null = null): Case =>
  answer(
    `away: ${name}`,
    { subject: 'Automatic reply: A question', ...of },
    { kind: 'automatic', reading: 'out_of_office', returns_on },
  );

/** Sent on Wednesday, 3 December 2025. */
const SENTENCES: readonly (readonly [name: string, text: string, returns_on: string | null])[] = [
  ['English, back on', 'I am away and will be back on Monday, 15 December.', '2025-12-15'],
  ['English, until', 'I am out of the office until December 15, 2025.', '2025-12-15'],
  ['English, through', 'I am on leave from Dec 1 through Dec 12.', '2025-12-13'],
  ['English, a weekday', 'I will be back on Monday.', '2025-12-08'],
  ['English, no day', 'I read my mail now and then.', null],
  ['English, a day of something else', 'We moved here on 4 May 1999. I am away.', null],
  ['German', 'Ich bin vom 01.12. bis 12.12. im Urlaub. Ab dem 15.12. bin ich wieder da.', '2025-12-15'],
  ['German, inclusive', 'Ich bin bis einschließlich 12.12.2025 nicht im Büro.', '2025-12-13'],
  ['French', 'Je serai de retour le 15 décembre 2025.', '2025-12-15'],
  ['French, a range', 'Je suis absente du 1er au 12 décembre.', '2025-12-13'],
  ['Spanish', 'Regreso el 9 de enero.', '2026-01-09'],
  ['Italian', 'Sarò assente dal 1 al 12 dicembre.', '2025-12-13'],
  ['Portuguese', 'Estou de férias até 15 de dezembro.', '2025-12-15'],
  ['Dutch', 'Vanaf 15 december ben ik weer bereikbaar.', '2025-12-15'],
  ['Swedish', 'Jag är tillbaka den 15 december.', '2025-12-15'],
  ['Polish', 'Wracam 15 grudnia 2025.', '2025-12-15'],
  ['Russian', 'Я в отпуске с 1 по 12 декабря.', '2025-12-13'],
  ['Japanese', '12月1日から12月5日まで休暇をいただいております。', '2025-12-06'],
  ['Chinese', '我将于2025年12月15日返回办公室。', '2025-12-15'],
  ['Korean', '12월 15일부터 복귀합니다.', '2025-12-15'],
];

const bySign: readonly Case[] = [
  away('Exchange, which says it in a field of its own', {
    subject: 'Automatic reply: A question',
    fields: 'X-Auto-Response-Suppress: All\nAuto-Submitted: auto-generated\n',
    text: 'Away.',
  }),
  away('a responder of old', { subject: 'Re: A question', fields: 'X-Autoreply: yes\n', text: 'Away.' }),
  away('a responder that names whom it answers', {
    subject: 'Re: A question',
    fields: 'X-Autorespond: A question\n',
    text: 'Away.',
  }),
  away('a precedence', { subject: 'Re: A question', fields: 'Precedence: auto_reply\n', text: 'Away.' }),
  away('a class', {
    subject: 'Re: A question',
    fields: 'X-POST-MessageClass: 9; Autoresponder\n',
    text: 'Away.',
  }),
  away('a subject in German alone', { subject: 'Abwesenheitsnotiz: A question', text: 'Weg.' }),
  away('a subject in Japanese alone', { subject: '自動応答: A question', text: '不在。' }),
  away('a subject in Russian alone', { subject: 'Автоответ: A question', text: 'Нет.' }),
  away('a desk that says that it heard', {
    subject: 'Ticket 81: A question',
    fields: 'Auto-Submitted: auto-generated\n',
    text: 'We have your letter.',
  }),
  away('who quotes our offer to unsubscribe', { fields: AUTO, text: 'Away.\n\nUnsubscribe' }),
];

const byHand: readonly Case[] = [
  answer(
    'a person who tells responders to keep still',
    { fields: 'X-Auto-Response-Suppress: All\n', text: 'Yes.' },
    { stripped: 'Yes.' },
  ),
  answer(
    'a person who says no machine wrote it',
    { fields: 'Auto-Submitted: no\n', text: 'Yes.' },
    { stripped: 'Yes.' },
  ),
  answer(
    'a person who will be away',
    { text: 'I am out of office until 15 December, call me then.' },
    { returns_on: null },
  ),
  answer('a person whose subject speaks of it', { subject: 'Re: your automatic reply', text: 'Thanks.' }, {}),
  {
    name: 'a null sender and nothing else',
    raw: Buffer.from(
      Buffer.from(letter({ subject: 'Re: A question', text: 'Away.' }))
        .toString()
        .replace('Return-Path: <ada@example.org>', 'Return-Path: <>'),
    ),
    expected: { kind: 'automatic', reading: 'out_of_office' },
  },
];

export const machines: readonly Case[] = [
  ...SENTENCES.map(([name, text, returns_on]) => away(name, { fields: AUTO, text }, returns_on)),
  ...bySign,
  ...byHand,
];
