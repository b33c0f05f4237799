// A conversation for tests of answers: someone had a letter of ours and wrote back, as a mail that landed.
import type { Answer } from '../../src/features/inbox/answers/contract.ts';
import { threadFor } from '../../src/features/inbox/threads/record/open.store.ts';
import { insertTouch, type NewTouch } from '../../src/features/inbox/threads/record/touch.store.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { RestClient, TestApp } from '../support/app.ts';
import type { Desk } from './desk.ts';

export type Conversation = {
  id: string;
  /** They write once more. */
  writes(said?: Partial<NewTouch>): Promise<{ touch_id: string; message_id: string }>;
  drafted(by: RestClient, said?: Record<string, unknown>): Promise<Answer>;
  path: string;
};

/** With the person of the desk's letter; `first`: what they wrote, or null for nothing yet. */
export async function aConversation(
  app: TestApp,
  desk: Desk,
  first: Partial<NewTouch> | null = {},
  letter = desk.letters[0]!,
): Promise<Conversation> {
  const { database } = app.instance.app;
  const id = await database.transact((tx) =>
    threadFor(tx, { channel: 'email', send_id: letter.id }, app.clock.now()),
  );
  const path = `/api/threads/${id}/answers`;
  const conversation: Conversation = {
    id,
    path,
    async writes(said = {}) {
      app.clock.advance(1_000);
      const now = app.clock.now();
      const message_id = `<${newId()}@mail.example>`;
      const { touch_id } = await database.transact((tx) =>
        insertTouch(
          tx,
          {
            thread_id: id,
            direction: 'in',
            channel: 'email',
            at: now,
            from: { address: letter.person.address, name: 'Person' },
            to: [desk.identity.address],
            subject: 'Re: Your bridge',
            text: 'Tell me more.',
            message_id,
            in_reply_to: letter.message_id,
            references: [letter.message_id],
            attributed_by: 'in_reply_to',
            reading: { reading: 'neutral', by: 'rule' },
            ...said,
          },
          now,
        ),
      );
      return { touch_id, message_id };
    },
    async drafted(by, said = {}) {
      const answer = await by.rest('POST', path, { text: 'Dear you, here is more.', ...said });
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
      return answer.body.answer;
    },
  };
  if (first) await conversation.writes(first);
  return conversation;
}
