// Wishes to be left alone, and sentences that only look like one.
import { describe, expect, test } from 'vitest';
import { asksToStop } from '../../../src/mail/inbound/unsubscribe.ts';

const asks = (text_stripped: string, subject = 'Re: A question', stripped_whole = false): boolean =>
  asksToStop({ subject, text_stripped, stripped_whole });

const WISHES = [
  'Unsubscribe',
  'STOP',
  'please remove me.',
  'Please remove me from your mailing list.',
  'Hi Anna, please take me off your list. Thanks, Bob',
  'Stop emailing me!',
  'Do not contact me again',
  "I'd like to be removed from your list",
  "don't email me again",
  'Opt-out',
  'Please delete my data and do not contact me again.',
  'please cease all communication',
  'Remove my e-mail and stop writing',
  'This is spam. Stop.',
  'Proszę o usunięcie z listy',
  'Prosím o odhlášení',
  'opt me out please',
  'I do not want to receive any more emails from you',
  'Not interested. Please unsubscribe me.',
  'Bitte nehmen Sie mich aus Ihrem Verteiler.',
  'Bitte streichen Sie mich von der Liste',
  'Keine weiteren E-Mails bitte',
  'Bitte keine Mails mehr!',
  'Ich möchte mich vom Newsletter abmelden',
  'Abmelden',
  'Schreiben Sie mir nicht mehr',
  'Können Sie mich bitte aus dem Verteiler nehmen?',
  'Merci de me désinscrire de votre liste',
  'Désinscrivez-moi SVP',
  'Veuillez me retirer de votre liste de diffusion.',
  'Je ne souhaite plus recevoir vos mails',
  "Ne m'écrivez plus.",
  'Merci de ne plus me contacter',
  'Quiero darme de baja',
  'Por favor, denme de baja de su lista',
  'No me escriban más',
  'No quiero recibir más correos',
  'Baja',
  'Elimínenme de su lista, por favor',
  'Cancellatemi dalla vostra lista',
  'Per favore rimuovete il mio indirizzo',
  'Non scrivetemi più',
  'Por favor, remova-me da sua lista',
  'Não quero mais receber e-mails',
  'Parem de me enviar emails',
  'Descadastrar',
  'Gelieve mij uit te schrijven',
  'Schrijf me uit',
  'Afmelden a.u.b.',
  'Haal mij van de lijst',
  'Stuur mij geen mails meer',
  'Ta bort mig från listan',
  'Avregistrera mig',
  'Sluta mejla mig',
  'Fjern mig fra listen, tak',
  'Afmeld',
  'Vennligst fjern meg fra listen',
  'Poistakaa minut listalta',
  'En halua enää viestejä',
  'Proszę o usunięcie mnie z listy',
  'Proszę mnie wypisać z listy',
  'Proszę nie pisać do mnie więcej',
  'Prosím odhlaste mě z odběru',
  'Nepište mi už',
  'Отпишите меня, пожалуйста',
  'Удалите меня из рассылки',
  'Больше не пишите мне!',
  'Прошу удалить мой адрес из базы',
  'Відпишіть мене',
  '配信停止をお願いします',
  'メールの配信を停止してください。',
  '今後の連絡は不要です',
  'リストから削除してください',
  '退订',
  '请不要再给我发邮件',
  '請勿再聯絡我',
  '수신거부',
  '더 이상 메일을 보내지 마세요',
  'Lütfen beni listeden çıkarın',
  'Bir daha mail atmayın',
  'please remove me from your mailing\nlist and stop',
  'Please take my address off your mailing\nlist.',
];

const OTHERS = [
  'We stopped all outside communication and call us instead',
  'Please send the price and stop by on Monday.',
  'Delete my data from the demo and send me the contract.',
  'How do I unsubscribe my users?',
  'We never stop',
  "I can't remove the part",
  "Please don't remove me from your list",
  'If we are not a fit remove me from your list',
  'Stop by our booth',
  'Yes, interested',
  'Not interested',
  'No thanks',
  'I want to cancel our meeting',
  'Kein Interesse',
  'On holiday',
  'Please send me more emails',
  'remove the second line',
  'Do not write to Bob, write to me',
  'I unsubscribed from Zoom last year',
  'Cancel the order please and call me',
  'Can you send me a quote?',
  'Bitte senden Sie mir mehr Informationen',
  'Non',
  'De rien',
  'Please contact me',
  'Merci',
  'Stop me if I am wrong, but do you offer discounts',
  'Send me an email',
  'Contact us',
  'Mail me',
  'Skriv till mig',
  'Nehmen Sie mich bitte in den Verteiler auf',
  'Отправляйте коммерческое предложение',
  'Пишите мне',
  '连络我',
  'Ich möchte mehr erfahren',
  'Kontakta mig',
];

describe('a wish to be left alone', () => {
  test.each(WISHES)('%s', (words) => expect(asks(words)).toBe(true));

  test('a subject that says it, as a link of ours writes it', () => {
    expect(asks('', 'unsubscribe')).toBe(true);
    expect(asks('', 'Re: unsubscribe')).toBe(false);
  });
});

describe('something else', () => {
  test.each(OTHERS)('%s', (words) => expect(asks(words)).toBe(false));

  test('what we wrote ourselves, where nothing of theirs is left', () =>
    expect(asks('Unsubscribe', 'Re: A question', true)).toBe(false));

  test('the words of a link below a letter that was not told apart as quoted', () =>
    expect(asks('Yes.\nUnsubscribe\nhttps://dunnock.example/u/x')).toBe(false));

  test('a bare word that is late in a letter', () =>
    expect(asks('One.\nTwo.\nThree.\nStop\nFive.')).toBe(false));
});
