// The letters that a proposed act would release, in full: a person signs for what they have read, not for an id and a
// fingerprint. Each is read as the viewer, through the one entry point.
import { threadOfAnswer } from './bound.store.ts';
import type { Caller } from '../../../../kernel/caller.ts';
import type { Reader } from '../../../../kernel/database.ts';
import type { App } from '../../../../kernel/app.ts';
import { freshRequest, invoke } from '../../../../kernel/invoke.ts';
import type { AnyOperation } from '../../../../kernel/operation.ts';
import { Refusal } from '../../../../kernel/refusal.ts';
import { answerList, answerSend, type Answer } from '../../../inbox/answers/contract.ts';
import type { Approval } from '../../../work/approvals/contract.ts';
import { sendRead, type Send } from '../../../outreach/sends/contract.ts';
import { sendApprove, sendResolve, sendsApprove } from '../../../outreach/sends/moves.contract.ts';

export type ShownLetter = NonNullable<NonNullable<Approval['act']>['letters']>[number];

/** Null: the act is about no letter. Those that this caller may not read are left out. */
export async function lettersOf(
  { app, db, caller }: { app: App; db: Reader; caller: Caller },
  operation: string,
  args: Record<string, unknown>,
): Promise<ShownLetter[] | null> {
  const read = async (reading: AnyOperation, given: object): Promise<unknown> => {
    try {
      return (await invoke(app, reading, caller, () => given, freshRequest())).answer;
    } catch (error) {
      if (error instanceof Refusal) return null;
      throw error;
    }
  };
  if (operation === answerSend.name) {
    const thread = await threadOfAnswer(db, String(args['answer']));
    const all = thread === null ? null : await read(answerList, { thread });
    const found = (all as { items: Answer[] } | null)?.items.find(({ id }) => id === args['answer']);
    return found ? [ofAnswer(found)] : [];
  }
  const many = operation === sendsApprove.name ? (args['sends'] as { id: string }[]) : null;
  const one = operation === sendApprove.name || operation === sendResolve.name;
  if (!many && !one) return null;
  const ids = many?.map(({ id }) => id) ?? [String(args['send'])];
  const letters: ShownLetter[] = [];
  for (const id of ids) {
    const found = (await read(sendRead, { send: id })) as { send: Send } | null;
    if (found) letters.push(ofSend(found.send));
  }
  return letters;
}

const ofSend = ({ id, to, from, subject, text, fingerprint }: Send): ShownLetter => ({
  id,
  to: [to],
  from,
  subject,
  text,
  fingerprint,
});

const ofAnswer = ({ id, recipients, from, subject, letter, fingerprint }: Answer): ShownLetter => ({
  id,
  to: recipients.map(({ address }) => address),
  from,
  subject,
  text: [letter.text, ...(letter.quoted === null ? [] : [letter.quoted])].join('\n\n'),
  fingerprint,
});
