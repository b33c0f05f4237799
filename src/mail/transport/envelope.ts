// Asks a mail server whether it would accept a letter, without sending one: MAIL FROM with the real envelope sender,
// RCPT TO for each address, and RSET. The library has no such call, but allows custom sign-in methods; this one signs
// no one in.
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import { outcomeOfReply } from './reply.ts';
import type { Outcome, Peer, Stage } from './transport.ts';

const METHOD = 'X-ENVELOPE';

/** What happened to MAIL FROM, and of RCPT TO for each address in order, as far as it was asked; null: it would be taken. */
export type EnvelopeAnswer = { mail: Outcome | null; rcpt: (Outcome | null)[] };

export type EnvelopeTrial = {
  /** For the options of the connection. */
  customAuth: SMTPConnection.Options['customAuth'];
  ask(
    connection: SMTPConnection,
    envelope: { from: string; to: readonly string[] },
    limitMs: number,
  ): Promise<EnvelopeAnswer>;
};

export function openEnvelopeTrial(peer: Peer): EnvelopeTrial {
  let asked: { from: string; to: readonly string[] } = { from: '', to: [] };
  let answer: EnvelopeAnswer = { mail: null, rcpt: [] };
  let isSenderHeard = false;
  const ruled = (reply: string, stage: Stage): Outcome | null =>
    reply.startsWith('2')
      ? null
      : (outcomeOfReply(reply, { peer, stage }) ?? { outcome: 'unreachable', why: 'protocol' });
  return {
    customAuth: {
      async [METHOD]({ sendCommand }) {
        const utf8 = /^\p{ASCII}*$/u.test(asked.from) ? '' : ' SMTPUTF8';
        const { response: mail } = await sendCommand(`MAIL FROM:<${asked.from}>${utf8}`);
        isSenderHeard = true;
        answer.mail = ruled(mail, 'mail');
        if (answer.mail) return;
        for (const to of asked.to) {
          const { response } = await sendCommand(`RCPT TO:<${to}>`);
          answer.rcpt.push(ruled(response, 'rcpt'));
        }
        await sendCommand('RSET');
      },
    },
    async ask(connection, envelope, limitMs) {
      asked = envelope;
      answer = { mail: null, rcpt: [] };
      isSenderHeard = false;
      const { promise, resolve } = Promise.withResolvers<Outcome | null>();
      const timer = setTimeout(() => resolve({ outcome: 'unreachable', why: 'timeout' }), limitMs);
      const onEnd = (): void => resolve({ outcome: 'unreachable', why: 'dropped' });
      connection.once('end', onEnd);
      connection.login({ method: METHOD } as SMTPConnection.AuthenticationType, (error) =>
        resolve(error ? { outcome: 'unreachable', why: 'dropped' } : null),
      );
      const broken = await promise;
      clearTimeout(timer);
      connection.off('end', onEnd);
      if (!broken) return answer;
      // What was not answered before it broke was not answered.
      const { mail, rcpt } = answer;
      return isSenderHeard ? { mail, rcpt: [...rcpt, broken] } : { mail: broken, rcpt };
    },
  };
}
