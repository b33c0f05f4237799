// Whoever left the company, whom they name, and what help desks say by a machine: told apart from absences, in six languages.
import { describe, expect, test } from 'vitest';
import { readMail } from '../../../src/mail/inbound/read.ts';

const AUTO = ['Auto-Submitted: auto-replied'];
const read = async (
  text: string,
  fields: readonly string[] = AUTO,
  subject = 'Automatic reply: Your bridge',
) => {
  const lines = [
    'From: Dana Roe <dana@acme.example>',
    'To: ada@desk.example',
    `Subject: ${subject}`,
    'Message-ID: <1@acme.example>',
    'Date: Wed, 04 Mar 2026 10:00:00 +0000',
    ...fields,
    'Content-Type: text/plain; charset=utf-8',
    '',
    text,
  ];
  const mail = await readMail(Buffer.from(lines.join('\r\n')));
  return { ...mail.reading, automatic: mail.automatic !== null };
};

const PETRA = 'Petra Meier <petra.meier@acme.example>';

describe('left the company', () => {
  test.each([
    ['I no longer work here, contact Petra Meier <petra.meier@acme.example>.', PETRA],
    [
      'Hello,\n\nThank you for your email. I am no longer with Acme. Please contact my colleague Petra Meier (petra.meier@acme.example) instead.\n\nDana',
      PETRA,
    ],
    [
      'Dana Roe has left the company. For urgent matters reach Petra Meier at petra.meier@acme.example',
      PETRA,
    ],
    [
      'Dana no longer works at Acme Ltd. Please direct all mail to petra.meier@acme.example',
      'petra.meier@acme.example',
    ],
    ['Dana Roe has left Acme. Write to petra.meier@acme.example', 'petra.meier@acme.example'],
    ['I have left Acme. I have left the company. Please contact Petra.', 'Petra'],
    ['This mailbox is no longer monitored. Please write to Petra Meier: petra.meier@acme.example', PETRA],
    [
      'Ich bin nicht mehr bei der Acme GmbH tätig. Bitte wenden Sie sich an Frau Petra Meier unter petra.meier@acme.example.',
      PETRA,
    ],
    [
      'Dana Roe hat das Unternehmen verlassen. Ihre Nachfolgerin ist Petra Meier, petra.meier@acme.example.',
      PETRA,
    ],
    [
      'Guten Tag, ich arbeite nicht mehr für die Acme. Ansprechpartnerin: Petra Meier, E-Mail: petra.meier@acme.example',
      PETRA,
    ],
    [
      'Bonjour, je ne travaille plus chez Acme. Merci de contacter Petra Meier : petra.meier@acme.example',
      PETRA,
    ],
    ['J’ai quitté la société. Vous pouvez vous adresser à Petra Meier (petra.meier@acme.example).', PETRA],
    ['Ya no trabajo en Acme. Por favor, contacte con Petra Meier en petra.meier@acme.example', PETRA],
    ['He dejado la empresa. Escriba a Petra Meier <petra.meier@acme.example>.', PETRA],
    ['Non lavoro più per Acme. La prego di rivolgersi a Petra Meier (petra.meier@acme.example).', PETRA],
    ['Ho lasciato l’azienda. Contattare petra.meier@acme.example', 'petra.meier@acme.example'],
    ['Ik werk niet meer bij Acme. Neem contact op met Petra Meier via petra.meier@acme.example.', PETRA],
    ['Dana Roe is niet langer werkzaam bij Acme. Mail naar Petra Meier, petra.meier@acme.example', PETRA],
  ])('a machine says: %s', async (text, named) => {
    expect(await read(text)).toMatchObject({
      reading: 'referral',
      details: { left: true, referred_to: named },
      automatic: true,
    });
  });

  test.each([
    'I no longer work here.',
    'Hi Ada,\n\nSorry, I no longer work at Acme. Please write to Petra Meier <petra.meier@acme.example>.',
    'Ich arbeite nicht mehr bei Acme.',
    'Je ne travaille plus chez Acme.',
    'Ya no trabajo en Acme.',
    'Non lavoro più in Acme.',
    'Ik werk niet meer bij Acme.',
    'I left Acme in May.',
    'I have changed jobs.',
    'I resigned from my position.',
    'I have since moved to another company.',
    'Ich habe Acme inzwischen verlassen.',
    'Ich bin inzwischen in Rente.',
    'J’ai quitté Acme.',
  ])('a person says of themselves: %s', async (text) => {
    expect(await read(text, [], 'Re: Your bridge')).toMatchObject({
      reading: 'referral',
      details: { left: true },
      automatic: false,
    });
  });

  test.each([
    ['I am out of the office until 9 March. Please contact Petra Meier <petra.meier@acme.example>.', AUTO],
    ['I have left the office for today. Petra is there.', AUTO],
    [
      'Ich bin im Urlaub und nicht im Büro. Bitte wenden Sie sich an Petra Meier, petra.meier@acme.example',
      AUTO,
    ],
    ['Je suis absente. Contactez petra.meier@acme.example', AUTO],
    ['Estoy de vacaciones hasta el lunes. Escriba a petra.meier@acme.example', AUTO],
    ['Sono fuori ufficio. Contattare petra.meier@acme.example', AUTO],
    ['Ik ben niet meer op kantoor deze week.', AUTO],
    ['I am away until 9 March. My colleague Bob Smith has left the company, please contact Petra.', AUTO],
    ['I am away until 9 March. Please note Bob Smith no longer works here.', AUTO],
    ['Ich bin im Urlaub. Mein Kollege Bob Smith hat das Unternehmen verlassen.', AUTO],
  ])('an absence stays one: %s', async (text, fields) => {
    const { reading, details } = await read(text, fields);
    expect({ reading, left: details.left }).toEqual({ reading: 'out_of_office', left: undefined });
  });

  test.each([
    'Since I no longer work at Google, I have time for this. Call me!',
    'The bridge no longer works for us, what would a new one cost?',
    'Our old supplier no longer works with us.',
    'I no longer work with agencies.',
    'Je ne travaille plus avec des agences.',
    'Ya no trabajo con agencias.',
    'Non lavoro più con agenzie.',
    'I have left the company a note.',
    'I have left the group chat.',
    '> I no longer work here.\n\nWho said that?',
    'He said "I no longer work here" and hung up on me, so tell me more about what you do and when we can speak.',
  ])('a person says something else: %s', async (text) => {
    expect(await read(text, [], 'Re: Your bridge')).toMatchObject({ reading: 'unread', details: {} });
  });
});

describe('a help desk', () => {
  const zendesk = [
    'X-Mailer: Zendesk Mailer',
    'Auto-Submitted: auto-generated',
    'X-Auto-Response-Suppress: All',
  ];
  test.each([
    [
      'Zendesk',
      zendesk,
      '[Request received] Your bridge',
      'Your request (1234) has been received and is being reviewed by our support staff.\n\nTo add additional comments, reply to this email.',
      '1234',
    ],
    [
      'Freshdesk',
      ['X-FD-Email-Category: 5', 'Auto-Submitted: auto-generated'],
      'Ticket Received - Your bridge',
      'Dear Ada,\n\nWe would like to acknowledge that we have received your request and a ticket has been created with Ticket ID 4711.',
      '4711',
    ],
    [
      'Jira',
      ['X-JIRA-FingerPrint: abc', 'Auto-Submitted: auto-generated', 'Precedence: bulk'],
      'HELP-12 Your bridge',
      '—-—-—-—\nReply above this line.\n\nJust confirming that we got your request. We are on it.',
      'HELP-12',
    ],
    [
      'OTRS',
      ['X-Mailer: OTRS Mail Service (6.0)', 'Auto-Submitted: auto-generated'],
      '[Ticket#2026030410000012] RE: Your bridge',
      'Vielen Dank für Ihre Anfrage. Ihre E-Mail ist bei uns eingegangen.',
      '2026030410000012',
    ],
    [
      'Zammad',
      ['X-Mailer: Zammad Mail Service', 'Auto-Submitted: auto-replied'],
      '[Ticket#61001] Your bridge',
      'Ihre Anfrage (Ticket#61001) ist eingegangen und wird von unserem Support-Team überprüft.',
      '61001',
    ],
    [
      'one with no header of its own',
      AUTO,
      'Re: Your bridge',
      'We have received your request [#1234].',
      '1234',
    ],
    [
      'one with no header at all',
      [],
      '[#1234] We have received your request',
      'We have received your request and will come back to you.',
      '1234',
    ],
    ['a French one', AUTO, '[Ticket 99812] Votre demande', 'Votre demande a bien été reçue.', '99812'],
    ['a Spanish one', AUTO, 'Caso #99812', 'Hemos recibido su solicitud.', '99812'],
    ['an Italian one', AUTO, 'Richiesta #99812', 'La sua richiesta è stata ricevuta.', '99812'],
    ['a Dutch one', AUTO, '[#99812] Uw vraag', 'Uw verzoek is ontvangen.', '99812'],
  ])('%s acknowledges', async (_, fields, subject, text, number) => {
    expect(await read(text, fields, subject)).toMatchObject({
      reading: 'out_of_office',
      details: { ticket: number },
      automatic: true,
    });
  });

  test('passes on what a person wrote, marked as a machine’s', async () => {
    const said = await read(
      '##- Please type your reply above this line -##\n\nHello Ada,\n\nthat sounds good. What does it cost?\n\nBo, Acme Support',
      zendesk,
      '[Acme] Re: Your bridge',
    );
    expect(said).toMatchObject({ reading: 'unread', automatic: false });
  });

  test('is none where a person speaks of a request, or a machine of an absence', async () => {
    expect(
      await read('I got your message about the bridge. Call me at 4711.', [], 'Re: Your bridge'),
    ).toMatchObject({ reading: 'unread' });
    for (const subject of ['Re: Your ISO-27001 audit', 'Re: Case 4711', 'AW: Bridge [#1234]', 'Q3-2026'])
      expect(await read('I got your message and like it. Call me.', [], subject), subject).toMatchObject({
        reading: 'unread',
        automatic: false,
      });
    const away = await read('I have received your message and am out of the office until 9 March. [#1234]');
    expect(away).toMatchObject({ reading: 'out_of_office', details: { returns_on: '2026-03-09' } });
    expect(away.details.ticket).toBeUndefined();
  });
});
