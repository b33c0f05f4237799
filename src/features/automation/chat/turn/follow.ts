// Follows a conversation with an agent as it happens, from rows and change notifications: in any process, from any
// moment, for anyone whom the entry point admitted.
import type { ChangeNotification, Reader } from '../../../../kernel/database.ts';
import type { App } from '../../../../kernel/app.ts';
import { proposedIn } from '../../../work/proposals/proposals.store.ts';
import type { ChatEvent, Pending } from '../../../inbox/threads/chat.contract.ts';
import { CHAT } from './run.ts';
import { type Look, turnAfter, turnById } from './turn.store.ts';
import { wakes } from './wakes.ts';

const ofChat =
  (thread_id?: string) =>
  ({ topic, id }: ChangeNotification): boolean =>
    topic === CHAT && (thread_id === undefined || id === thread_id);

/** One turn, from its beginning to its end or until the signal. */
export async function* followOne(app: App, turn_id: string, signal: AbortSignal): AsyncGenerator<ChatEvent> {
  const { reader } = app.database;
  let seen: Look | null = null;
  for await (const _ of wakes(app, signal, ofChat())) {
    const turn = await turnById(reader, turn_id);
    if (!turn) return;
    yield* changes(reader, seen, turn);
    if (turn.state !== 'running') return;
    seen = turn;
  }
}

/**
 * A conversation: its newest turn from the beginning, and every turn after it, until the signal. Who may see it is asked by
 * whoever calls this.
 */
export async function* followTurn(
  app: App,
  thread_id: string,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent> {
  const { reader } = app.database;
  let seen: Look | null = null;
  for await (const _ of wakes(app, signal, ofChat(thread_id))) {
    for (;;) {
      const turn = await nextLook(reader, thread_id, seen);
      if (!turn) break;
      yield* changes(reader, turn.id === seen?.id ? seen : null, turn);
      seen = turn;
      if (turn.state === 'running') break;
    }
  }
}

/** The running one as it is now, or the one after it. */
function nextLook(db: Reader, thread_id: string, seen: Look | null): Promise<Look | null> {
  if (seen?.state === 'running') return turnById(db, seen.id);
  return turnAfter(db, thread_id, seen?.id ?? null);
}

async function* changes(db: Reader, seen: Look | null, turn: Look): AsyncGenerator<ChatEvent> {
  const { id: turn_id, thread_id, agent_name: agent, model, message, state, sentence, text } = turn;
  if (!seen) yield { type: 'turn', thread_id, turn_id, agent, model, message };
  if (text.length > (seen?.text.length ?? 0))
    yield { type: 'text', turn_id, text: text.slice(seen?.text.length ?? 0) };
  for (const [place, used] of turn.used.entries())
    if (seen?.used[place]?.outcome !== used.outcome) yield { type: 'tool', turn_id, place, ...used };
  if (state === 'running') return;
  yield { type: 'end', thread_id, turn_id, state, text, sentence, pending: await pendingOf(db, turn_id) };
}

/** What of a turn still waits for a person. */
export async function pendingOf(db: Reader, turn_id: string): Promise<Pending[]> {
  const proposed = await proposedIn(db, turn_id);
  return proposed
    .filter(({ decided }) => decided === 'pending')
    .map(({ approval_id, operation }) => ({
      kind: 'approval',
      id: approval_id,
      operation,
      sentence: `${operation} waits for a person, who approves it on their screen: it has not happened`,
    }));
}
