// Starts a turn: the conversation, the agent, the model, the limits. After the commit the turn runs in this process,
// whether or not anyone is still listening.
import { type Caller, nameOf } from '../../../../kernel/caller.ts';
import { Refusal, conflict, invalid, notFound, stop } from '../../../../kernel/refusal.ts';
import type { ReadContext } from '../../../../kernel/context.ts';
import type { Agent } from '../../agents/contract.ts';
import { chooseModel } from '../../agents/models.ts';
import { agentNamed } from '../../agents/store.ts';
import { readSettings } from '../../../access/settings/store.ts';
import { openThread } from '../../../inbox/threads/record/open.store.ts';
import { loadThread, lockThread } from '../../../inbox/threads/store.ts';
import { insertTouch } from '../../../inbox/threads/record/touch.store.ts';
import { markAgentTurn } from '../../../access/tokens/store.ts';
import { NO_TURN_IN_A_TURN } from '../act/acts.rules.ts';
import { dayIsSpent, dayOf, tooManyAtOnce, tooManyTurns, TURNS_AT_ONCE } from './budget.rules.ts';
import type { ChatAsked } from '../contract.ts';
import { driverOf } from './driver.ts';
import { CHAT, runTurn } from './run.ts';
import {
  agentOfThread,
  holdDriver,
  insertTurn,
  runningTurns,
  type Spender,
  spentToday,
  type Turn,
  turnUnder,
} from './turn.store.ts';

/** Surfaces on which a turn runs already: it starts no other. */
const INSIDE: readonly Caller['surface'][] = ['chat', 'lua'];

const SUBJECT_MAX = 80;

/** Commits before it returns. Nothing of a model has been asked by then. */
export async function beginTurn(
  context: ReadContext,
  asked: ChatAsked,
): Promise<Pick<Turn, 'id' | 'thread_id'>> {
  const { app, caller, db, now, request } = context;
  if (INSIDE.includes(caller.surface)) throw conflict(NO_TURN_IN_A_TURN);
  const driver = driverOf(caller);
  if (driver instanceof Refusal) throw driver;
  const { by, user_id, token_id, session_id } = driver;
  const asked_key = request.idempotency_key;
  const before = asked_key === null ? null : await turnUnder(db, by, asked_key);
  if (before) return before;
  const speaker: Caller = { ...caller, principal: by };
  if (asked.thread_id !== undefined)
    await ownChat(speaker, asked.thread_id, (...args) => loadThread(db, ...args));
  const agent = await agentOf(db, asked);
  const { name: model } = await chooseModel(app, db, asked.model ?? null, agent.model);
  const workflow_id = request.run_step?.workflow_id ?? null;
  // A workflow's turns have a budget of their own.
  const full = token_id === null || workflow_id !== null ? null : await app.limits.take('chat', token_id);
  if (full) throw tooManyTurns(full);
  const turn = await app.database.transact(async (tx) => {
    await holdDriver(tx, by);
    await demandLimits(tx, { by, workflow_id }, nameOf(caller), now);
    const { message } = asked;
    const thread_id =
      asked.thread_id === undefined
        ? await openThread(tx, { channel: 'chat', subject: message.slice(0, SUBJECT_MAX), owner: by }, now)
        : (await ownChat(speaker, asked.thread_id, (...args) => lockThread(tx, ...args))).id;
    const begun = await insertTurn(
      tx,
      {
        thread_id,
        agent_id: agent.id,
        agent_name: agent.name,
        model,
        by,
        user_id,
        token_id,
        session_id,
        run_step_id: request.run_step?.id ?? null,
        workflow_id,
        message,
        asked_key,
        // What set a workflow off may be a stranger's letter, and its words are in the message.
        outside: caller.surface === 'workflow',
      },
      now,
    );
    if (!begun)
      throw conflict(
        'a turn is already running in this conversation: wait for it to finish, or stop it with POST /api/chat/stop',
      );
    const from = { address: null, name: by.name };
    await insertTouch(
      tx,
      { thread_id, direction: 'in', channel: 'chat', at: now, from, text: message, by },
      now,
    );
    // From its first turn on a token is an agent's, for good (domain.md §1.1).
    if (token_id !== null) await markAgentTurn(tx, token_id, now);
    return begun;
  });
  app.database.tell([{ topic: 'threads', id: turn.thread_id }]);
  void runTurn(app, turn, request.caller_now ?? null).catch((err: unknown) =>
    app.log.error({ err, [CHAT]: turn.id }, 'a turn broke'),
  );
  return turn;
}

type Load = (caller: Caller, action: string, id: string) => ReturnType<typeof loadThread>;

async function ownChat(speaker: Caller, id: string, load: Load): ReturnType<typeof loadThread> {
  const thread = await load(speaker, 'inbox.thread.read', id);
  if (thread.kind === 'chat') return thread;
  const says = 'thread_id: that is a conversation with a contact; leave it out to start one with an agent';
  throw invalid(says, { thread_id: says });
}

async function agentOf(db: ReadContext['db'], { agent, thread_id }: ChatAsked): Promise<Agent> {
  const named = agent ?? (thread_id === undefined ? null : await agentOfThread(db, thread_id));
  const found = (await agentNamed(db, named)) ?? (agent === undefined ? await agentNamed(db, null) : null);
  if (!found) throw notFound('agent', 'GET /api/agents lists agents');
  return found;
}

async function demandLimits(db: ReadContext['db'], of: Spender, who: string, now: Date): Promise<void> {
  if ((await runningTurns(db, of)) >= TURNS_AT_ONCE) throw tooManyAtOnce();
  const spent = dayIsSpent(await spentToday(db, of, now), dayOf(await readSettings(db), of.workflow_id), who);
  stop(spent === null ? null : new Refusal(429, 'rate_limited', spent));
}
