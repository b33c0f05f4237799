// What is offered after a reply was sent or scheduled: it comes back as a draft, as long as it hasn't gone.
import { ApiError, call } from '../../../../../ui/client/call.ts';
import { staleAfter } from '../../../../../ui/client/topics.ts';
import { tellRefusal } from '../../../../../ui/client/toast.ts';
import type { Answer } from '../../../answers/contract.ts';
import type { Doing } from '../conversation/use-acts.ts';

type Sent = { thread: string; answer: Answer; undone: () => Promise<void> };

const takenBack =
  ({ thread, answer, undone }: Sent) =>
  async (): Promise<void> => {
    try {
      await call('answer_take_back', { thread, answer: answer.id });
      await undone();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      tellRefusal(error);
    }
    await staleAfter('answer_take_back', ['sends']);
  };

const OFFERED_MS = 8_000;

/** `goes_ms`: until it goes; `when`: the moment that was chosen for it. */
export const wayBack = (sent: Sent, goes_ms: number, when: string | null): Doing => ({
  key: `answer:${sent.answer.id}`,
  says:
    when === null
      ? `Sending reply to ${sent.answer.recipients[0]?.address ?? 'them'}`
      : `Scheduled for ${when}`,
  until: performance.now() + (when === null ? goes_ms : OFFERED_MS),
  counts: when === null,
  undo: takenBack(sent),
});
