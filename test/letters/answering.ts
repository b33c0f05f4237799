// What tests of answers ask of the desk they are on: sending one as it was read, what it came to, and the mail that left.
import PostalMime from 'postal-mime';
import type { Answer as Drafted } from '../../src/features/inbox/answers/contract.ts';
import { TAKE_BACK_MS } from '../../src/features/inbox/answers/rules.ts';
import type { Answer, RestClient, TestApp } from '../support/app.ts';
import type { SmtpSink } from '../support/smtp.ts';
import type { Conversation } from './conversation.ts';
import type { Desk } from './desk.ts';

type Stand = { app: TestApp; sink: SmtpSink; desk: Desk; thread: Conversation };

/** `at` gives what the test file lays before each of its tests. */
export function answering(at: () => Stand) {
  const sendPath = ({ id }: { id: string }): string => `${at().thread.path}/${id}/send`;
  return {
    sendPath,
    sent: (by: RestClient, answer: { id: string; fingerprint: string }): Promise<Answer> =>
      by.rest('POST', sendPath(answer), { fingerprint: answer.fingerprint }),
    refused: ({ status, body }: Answer): unknown[] => [status, body.error?.message],
    answers: async (): Promise<Drafted[]> => (await at().app.admin.rest('GET', at().thread.path)).body.items,
    letters: () => at().app.sql`select * from sends where kind = 'answer' order by created_at`,
    async afterItsTime(): Promise<void> {
      at().app.clock.advance(TAKE_BACK_MS);
      await at().desk.send();
    },
    async mail() {
      const parsed = await PostalMime.parse(at().sink.letters.at(-1)!.bytes);
      return {
        ...parsed,
        header: (key: string) => parsed.headers.find((each) => each.key === key)?.value ?? null,
      };
    },
  };
}
