// Wishes to have one's data erased, in six languages, and sentences that only look like one.
import { describe, expect, test } from 'vitest';
import { readingByRule } from '../../../src/mail/inbound/reading.ts';

const read = (text_stripped: string, subject = 'Re: A question', stripped_whole = false) =>
  readingByRule({ subject, text_stripped, stripped_whole, automatic: null, returns_on: null });

const WISHES = [
  'Delete my data under GDPR and never contact me again.',
  'Please erase all my personal data.',
  'Take all my data off your systems.',
  'Could you please delete our data?',
  'Could you delete my data under the GDPR?',
  'Könnten Sie bitte meine Daten löschen?',
  'Pursuant to Art. 17 GDPR, I request the erasure of all personal data you hold about me.',
  'I hereby request that you delete all personal data you have on me under Article 17 of the General Data Protection Regulation and confirm the deletion in writing within 30 days.',
  'Delete everything you have about me, please',
  'We need you to delete our data.',
  'You hold my data and I want it deleted.',
  'I would like to remove my personal information.',
  'Hi Ada, please delete my data in accordance with the GDPR. Thanks, Bob',
  'I want to exercise my right to be forgotten.',
  'Can you please remove all my data from your systems? Thank you',
  'Bitte löschen Sie alle meine personenbezogenen Daten gemäß Art. 17 DSGVO.',
  'Löschen Sie meine Daten nach DSGVO und schreiben Sie mir nie wieder.',
  'Ich fordere Sie auf, meine Daten gemäß Art. 17 Abs. 1 DSGVO unverzüglich zu löschen und mir die Löschung zu bestätigen.',
  'Hiermit verlange ich die Löschung meiner personenbezogenen Daten.',
  'Ich bitte um Löschung aller meiner Daten.',
  'Ich mache von meinem Recht auf Löschung Gebrauch.',
  'Bitte alle meine Daten löschen!',
  'Conformément au RGPD, veuillez supprimer toutes mes données personnelles.',
  'Merci d’effacer mes données et de ne plus me contacter.',
  'Je vous demande de supprimer mes données personnelles en vertu de l’article 17 du RGPD.',
  'Je souhaite exercer mon droit à l’effacement.',
  'Eliminen todos mis datos personales de acuerdo con el RGPD y no me contacten más.',
  'Solicito la supresión de mis datos personales conforme al artículo 17 del RGPD.',
  'Por favor, borren mis datos.',
  'Quiero ejercer mi derecho al olvido',
  'Cancellate tutti i miei dati ai sensi del GDPR e non contattatemi più.',
  'Chiedo la cancellazione dei miei dati personali ai sensi dell’art. 17 del GDPR.',
  'Vi chiedo di cancellare i miei dati personali.',
  'Verwijder al mijn gegevens op grond van de AVG en neem geen contact meer met mij op.',
  'Ik verzoek u mijn persoonsgegevens te verwijderen conform artikel 17 AVG.',
  'Ik wil dat jullie al mijn gegevens verwijderen.',
];

const OTHERS = [
  'We deleted the old data and never contacted you.',
  'We delete my data every year, and so do you?',
  'We need to delete our records every 30 days.',
  'Would you delete our data?',
  'Hi Ada, can you delete our data?',
  'Würden Sie unsere Daten löschen?',
  'Pourriez-vous supprimer nos données ?',
  '¿Podrían borrar nuestros datos?',
  'Potreste cancellare i nostri dati?',
  'Kunt u onze gegevens verwijderen?',
  'We have to delete our data every month.',
  'You delete our data within 30 days?',
  'We store our data in your database and delete it.',
  'Wir müssen unsere Daten löschen.',
  'How do you delete my data under GDPR when I leave?',
  'Do you delete my data under GDPR?',
  'Our customers ask us to delete their data under GDPR. Can you help?',
  'Please delete the old data from the sheet I sent.',
  'If you contact me again I will ask you to delete my data.',
  'Under GDPR we have to ask where you got my address.',
  'Is your tool GDPR compliant?',
  'Please delete my data from the test account, and then call me about the offer.',
  'Our data is deleted after 30 days.',
  'My data was deleted by accident, can you help me?',
  'Wir haben die alten Daten gelöscht und Sie nie kontaktiert.',
  'Wie löschen Sie meine Daten nach DSGVO?',
  'Nous avons supprimé les anciennes données.',
  'Hemos eliminado los datos antiguos y nunca les contactamos.',
  'Abbiamo cancellato i vecchi dati e non vi abbiamo mai contattato.',
  'We hebben de oude gegevens verwijderd en nooit contact opgenomen.',
];

describe('a wish to be erased', () => {
  test.each(WISHES)('%s', (text) => {
    expect(read(text)).toMatchObject({ reading: 'unsubscribe', details: { erasure: true } });
  });

  test.each(['GDPR erasure request', 'Right to be forgotten', 'Löschung meiner Daten gemäß DSGVO'])(
    'in the subject: %s',
    (subject) => {
      expect(read('See the subject.', subject)).toMatchObject({
        reading: 'unsubscribe',
        details: { erasure: true },
      });
    },
  );

  test('may be folded over lines, beside other words', () => {
    const text = `Dear Ada,\n\nI never asked for this. Please delete all my personal\ndata under the GDPR, and do not contact me again.\n\nDana Roe`;
    expect(read(text)).toMatchObject({ reading: 'unsubscribe', details: { erasure: true } });
  });
});

describe('no wish to be erased', () => {
  test.each(OTHERS)('%s', (text) => {
    expect(read(text)).toMatchObject({ reading: 'unread', details: {} });
  });

  test('is what is quoted, or all there is was ours', () => {
    expect(read('> Delete my data under GDPR.\n\nWho wrote this?')).toMatchObject({ reading: 'unread' });
    expect(read('Delete my data under GDPR.', 'Re: A question', true)).toMatchObject({ reading: 'unread' });
  });

  test('is a plain unsubscribe', () => {
    expect(read('Please unsubscribe me')).toMatchObject({ reading: 'unsubscribe', details: {} });
    expect(read('Please unsubscribe me').details.erasure).toBeUndefined();
  });
});
