// Answers in many languages: the line above the quote as mail programs write it there, Outlook's block, and how people say
// that they want no more.
import { answer, OURS, quoted } from './case.ts';
import type { Case } from './case.ts';

type Language = {
  name: string;
  /** The attribution, perhaps folded. */
  line: string;
  /** Outlook's four fields. */
  block: [from: string, sent: string, to: string, subject: string];
  words: string;
  stop: string;
};

const N = 'Nora Finch';
const M = '<nora@dunnock.example>';

export const LANGUAGES: readonly Language[] = [
  {
    name: 'German',
    line: `Am Mi., 3. Dez. 2025 um 09:00 Uhr schrieb ${N} <\nnora@dunnock.example>:`,
    block: ['Von', 'Gesendet', 'An', 'Betreff'],
    words: 'Ja, das machen wir.',
    stop: 'Bitte nehmen Sie mich aus Ihrem Verteiler.',
  },
  {
    name: 'French',
    line: `Le mer. 3 déc. 2025 à 09:00, ${N} ${M} a\nécrit :`,
    block: ['De', 'Envoyé', 'À', 'Objet'],
    words: 'Oui, bien sûr.',
    stop: 'Merci de me désinscrire de votre liste.',
  },
  {
    name: 'Spanish',
    line: `El mié, 3 dic 2025 a las 9:00, ${N} (${M}) escribió:`,
    block: ['De', 'Enviado el', 'Para', 'Asunto'],
    words: 'Sí, claro.',
    stop: 'No me escriban más, por favor.',
  },
  {
    name: 'Italian',
    line: `Il giorno mer 3 dic 2025 alle ore 09:00 ${N} ${M}\nha scritto:`,
    block: ['Da', 'Inviato', 'A', 'Oggetto'],
    words: 'Sì, certo.',
    stop: 'Cancellatemi dalla vostra lista.',
  },
  {
    name: 'Portuguese',
    line: `Em qua., 3 de dez. de 2025 às 09:00, ${N} ${M}\nescreveu:`,
    block: ['De', 'Enviado', 'Para', 'Assunto'],
    words: 'Sim, claro.',
    stop: 'Por favor, removam-me da vossa lista.',
  },
  {
    name: 'Dutch',
    line: `Op wo 3 dec 2025 om 09:00 schreef ${N} ${M}:`,
    block: ['Van', 'Verzonden', 'Aan', 'Onderwerp'],
    words: 'Ja, dat doen we.',
    stop: 'Haal mij van de lijst a.u.b.',
  },
  {
    name: 'Swedish',
    line: `Den ons 3 dec. 2025 kl 09:00 skrev ${N} ${M}:`,
    block: ['Från', 'Skickat', 'Till', 'Ämne'],
    words: 'Ja, det gör vi.',
    stop: 'Ta bort mig från listan.',
  },
  {
    name: 'Danish',
    line: `Den ons. 3. dec. 2025 kl. 09.00 skrev ${N} ${M}:`,
    block: ['Fra', 'Sendt', 'Til', 'Emne'],
    words: 'Ja, det gør vi.',
    stop: 'Fjern mig fra listen, tak.',
  },
  {
    name: 'Norwegian',
    line: `ons. 3. des. 2025 kl. 09:00 skrev ${N} ${M}:`,
    block: ['Fra', 'Sendt', 'Til', 'Emne'],
    words: 'Ja, det gjør vi.',
    stop: 'Vennligst fjern meg fra listen.',
  },
  {
    name: 'Finnish',
    line: `ke 3. jouluk. 2025 klo 9.00 ${N} ${M} kirjoitti:`,
    block: ['Lähettäjä', 'Lähetetty', 'Vastaanottaja', 'Aihe'],
    words: 'Kyllä, painamme.',
    stop: 'Poistakaa minut listalta.',
  },
  {
    name: 'Polish',
    line: `śr., 3 gru 2025 o 09:00 ${N} ${M} napisał(a):`,
    block: ['Od', 'Wysłano', 'Do', 'Temat'],
    words: 'Tak, oczywiście.',
    stop: 'Proszę o usunięcie mnie z listy.',
  },
  {
    name: 'Czech',
    line: `st 3. 12. 2025 v 9:00 odesílatel ${N} ${M}\nnapsal:`,
    block: ['Od', 'Odesláno', 'Komu', 'Předmět'],
    words: 'Ano, jistě.',
    stop: 'Prosím odhlaste mě z odběru.',
  },
  {
    name: 'Russian',
    line: `ср, 3 дек. 2025 г. в 09:00, ${N} ${M}:`,
    block: ['От', 'Отправлено', 'Кому', 'Тема'],
    words: 'Да, конечно.',
    stop: 'Удалите меня из рассылки.',
  },
  {
    name: 'Ukrainian',
    line: `ср, 3 груд. 2025 р. о 09:00 ${N} ${M} пише:`,
    block: ['Від', 'Надіслано', 'Кому', 'Тема'],
    words: 'Так, звісно.',
    stop: 'Більше не пишіть мені.',
  },
  {
    name: 'Turkish',
    line: `${N} ${M}, 3 Ara 2025 Çar, 09:00 tarihinde şunu\nyazdı:`,
    block: ['Kimden', 'Gönderildi', 'Kime', 'Konu'],
    words: 'Evet, elbette.',
    stop: 'Lütfen beni listeden çıkarın.',
  },
  {
    name: 'Hungarian',
    line: `${N} ${M} ezt írta (időpont: 2025. dec. 3., Sze, 9:00):`,
    block: ['Feladó', 'Elküldve', 'Címzett', 'Tárgy'],
    words: 'Igen, persze.',
    stop: 'Unsubscribe',
  },
  {
    name: 'Japanese',
    line: `2025年12月3日(水) 9:00 ${N} ${M}:`,
    block: ['差出人', '送信日時', '宛先', '件名'],
    words: 'はい、対応しております。',
    stop: '配信停止をお願いいたします。',
  },
  {
    name: 'Japanese in words',
    line: `2025年12月3日 9:00、${N} ${M}のメール:`,
    block: ['差出人', '日時', '宛先', '件名'],
    words: 'はい。',
    stop: '今後の連絡は不要です。',
  },
  {
    name: 'Chinese',
    line: `${N} ${M} 于2025年12月3日周三 09:00写道：`,
    block: ['发件人', '发送时间', '收件人', '主题'],
    words: '可以。',
    stop: '请不要再给我发邮件。',
  },
  {
    name: 'Korean',
    line: `2025년 12월 3일 (수) 오전 9:00, ${N} ${M}님이 작성:`,
    block: ['보낸 사람', '보낸 날짜', '받는 사람', '제목'],
    words: '네, 가능합니다.',
    stop: '수신거부 부탁드립니다.',
  },
];

const block = ([from, sent, to, subject]: Language['block']): string =>
  `${from}: ${N} ${M}\n${sent}: 2025-12-03 09:00\n${to}: Ada Roe\n${subject}: A question`;

export const languages: readonly Case[] = LANGUAGES.flatMap(({ name, line, block: fields, words, stop }) => [
  answer(
    `${name}: the line above a quote`,
    { text: `${words}\n\n${line}\n\n${quoted(OURS)}\n` },
    { stripped: words },
  ),
  answer(
    `${name}: the line above a quote without marks`,
    { text: `${words}\n\n${line}\n\n${OURS}\n` },
    { stripped: words },
  ),
  answer(`${name}: four fields`, { text: `${words}\n\n${block(fields)}\n\n${OURS}\n` }, { stripped: words }),
  answer(
    `${name}: no more`,
    { text: `${stop}\n\n${line}\n\n${quoted(OURS)}\n` },
    { stripped: stop, reading: 'unsubscribe' },
  ),
]);
