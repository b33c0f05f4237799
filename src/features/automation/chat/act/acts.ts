// One call of an agent: decided by the rules, then performed through the one entry point, proposed to a person, or
// refused with a sentence. Every outcome is text for the agent; none is a fault of the turn.
import { SECOND_MS } from '../../../../kernel/clock.ts';
import type { Transaction } from '../../../../kernel/database.ts';
import type { App } from '../../../../kernel/app.ts';
import { newId } from '../../../../kernel/ids.ts';
import { freshRequest, invoke } from '../../../../kernel/invoke.ts';
import type { AnyOperation } from '../../../../kernel/operation.ts';
import { parseArguments } from '../../../../kernel/parse.ts';
import { conflict, Refusal, stop } from '../../../../kernel/refusal.ts';
import { withSeen } from '../../../../kernel/seen-now.ts';
import { replaceApproval } from '../../../work/approvals/open.store.ts';
import { takesPeople } from '../../../work/proposals/binding.ts';
import type { Mark } from '../../../work/proposals/bound.rules.ts';
import { openProposal } from '../../../work/proposals/open.ts';
import { moveProposal, proposalsOfTurn, waitingTwins } from '../../../work/proposals/proposals.store.ts';
import { withoutSecrets } from '../../../work/proposals/rules.ts';
import { type Things, thingsIn } from '../../../work/proposals/things.ts';
import { framed } from '../../agents/frame.rules.ts';
import type { Call } from '../../agents/model.ts';
import { answersOutsiders } from '../../agents/proposed.rules.ts';
import { isForeignName, toolsForAgents } from '../../agents/tools.rules.ts';
import { callCapability } from '../../capabilities/call.ts';
import type { Used } from '../../../inbox/threads/chat.contract.ts';
import { MOST_PROPOSALS, refusedEarly, rulingOn, tooManyProposals } from './acts.rules.ts';
import type { Offered } from './agent-tools.ts';
import { marksNow } from '../bound/bound.store.ts';
import type { Drivers } from '../turn/driver.ts';
import { shownResult } from './acts.shown.ts';
import type { Turn } from '../turn/turn.store.ts';

/** One act of an agent takes at most this long, as one of a request tool does. */
const ACT_MS = 30 * SECOND_MS;

const BROKE =
  'something broke on our side, and the operator can find it in the log: check whether it was done before you try again';

export type Acting = {
  app: App;
  turn: Turn;
  drivers: Drivers;
  tools: ReadonlyMap<string, Offered>;
  /** The agent's own list: another party's tool is called by its name in it alone. */
  allowed: readonly string[] | null;
  /** Acts that it need not propose in this turn, as it is now. */
  unasked: readonly string[];
  signal: AbortSignal;
  /** Rejects with a Refusal where no one drives the turn any more, by what this transaction sees. */
  stillDriven(tx: Transaction): Promise<void>;
};

/** `text` is what the agent is told, `came` what people see of it; `outside`: an outsider's words may be among the text. */
export type Acted = {
  text: string;
  outside: boolean;
  came: Pick<Used, 'outcome' | 'sentence' | 'result' | 'approval_id'>;
};

const QUIET = { sentence: null, result: null, approval_id: null };

export async function act(acting: Acting, call: Call): Promise<Acted> {
  const { app } = acting;
  try {
    return await perform(acting, call);
  } catch (error) {
    if (!(error instanceof Refusal))
      app.log.error({ err: error, tool: call.name }, 'an act of an agent broke');
    const sentence = error instanceof Refusal ? error.sentence : BROKE;
    return { text: `refused: ${sentence}`, outside: false, came: { ...QUIET, outcome: 'refused', sentence } };
  }
}

async function perform(acting: Acting, call: Call): Promise<Acted> {
  const { app, turn, drivers, tools, unasked, signal } = acting;
  const tool = tools.get(call.name);
  if (!tool) return callUnoffered(acting, call);
  if (call.broken)
    throw conflict(
      'the arguments were not a single JSON object, so nothing was done: send them again in full',
    );
  const refuse = async (operation: AnyOperation, refusal: Refusal): Promise<never> => {
    await auditRefusal(app, operation, drivers, refusal);
    throw refusal;
  };
  // Whoever has no right to any of it hears so before the arguments are read.
  const early = tool.calls.map((op) => refusedEarly(op, drivers.judged, app.clock.now()));
  if (tool.calls[0] && early[0] && early.every((each) => each !== null))
    await refuse(tool.calls[0], early[0]);
  const picked = tool.pick(app, call.input);
  const done = (answer: unknown, outside: boolean, secret = false): Acted => ({
    outside,
    text: framed(call.name, JSON.stringify(answer)),
    came: { ...QUIET, outcome: 'done', result: secret ? null : shownResult(JSON.stringify(answer)) },
  });
  if ('answer' in picked) return done(picked.answer, false);
  if ('foreign' in picked) return callForeign(acting, call);
  const { operation } = picked;
  const now = app.clock.now();
  const without = refusedEarly(operation, drivers.judged, now);
  if (without) await refuse(operation, without);
  const args = parseArguments(operation.takes, picked.arguments);
  const ruling = rulingOn(operation, args, drivers.judged, unasked, now);
  if (ruling.ruled === 'refuse') return refuse(operation, ruling.refusal);
  if (ruling.ruled === 'propose') {
    // Before anything that is shown is read: what changes from here on is found when it is approved.
    const marks = marksNow(app.database.reader, drivers.hands, args, takesPeople(app, operation.name), now);
    const bound = await marks.catch((error: unknown) => {
      if (error instanceof Refusal) return refuse(operation, error);
      throw error;
    });
    const things = await thingsIn(app, drivers.hands, args);
    const shown = await withSeen(app, drivers.hands, operation, picked.arguments);
    const proposal = { operation, args: shown, things, bound };
    const id = await app.database.transact((tx) => propose(tx, app, turn, proposal, now));
    app.database.tell([{ topic: 'approvals', id }]);
    const sentence = `${operation.name} waits for a person: approval ${id}. It has not happened.`;
    return {
      text: sentence,
      outside: false,
      came: { ...QUIET, outcome: 'pending', sentence, approval_id: id },
    };
  }
  const facts = freshRequest({
    // What an act of a run's turn sets off counts as caused by that run.
    ...(turn.run_step_id !== null && { id: turn.run_step_id }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(ACT_MS)]),
    // Between the look before the act and its transaction someone may have been signed out.
    first: (tx) => acting.stillDriven(tx),
  });
  const { answer } = await invoke(app, operation, drivers.hands, () => picked.arguments, facts);
  const secret = 'json' in operation.answers && operation.answers.shows_secret;
  return done(answer, answersOutsiders(operation), secret);
}

/**
 * What is not offered is not called, and the agent hears which of three it is: another party's tool that its list names may
 * have lost the sign-in or changed what it says of itself; one of the app may not be on its list; or there is none.
 */
async function callUnoffered(acting: Acting, call: Call): Promise<Acted> {
  const { app, allowed } = acting;
  if (isForeignName(call.name) && allowed?.includes(call.name)) return callForeign(acting, call);
  if (toolsForAgents(app).includes(call.name)) throw NOT_ON_ITS_LIST;
  throw conflict('you have no tool with that name');
}

const NOT_ON_ITS_LIST = new Refusal(
  403,
  'policy_denied',
  'that tool is not on this agent’s list: an administrator can add it in Settings → Agents',
);

/** Another party's tool: what it answers is data, and its own failure is told as such. */
async function callForeign({ app, drivers, allowed, signal }: Acting, call: Call): Promise<Acted> {
  const { name: called, input: args } = call;
  const { text, failed } = await callCapability(app, drivers.hands, { called, args, allowed, signal });
  const sentence = failed ? 'the tool of another party says that it failed' : null;
  return {
    outside: true,
    text: `${failed ? 'it says that it failed: ' : ''}${framed(called, text)}`,
    came: { ...QUIET, outcome: failed ? 'refused' : 'done', sentence, result: shownResult(text) },
  };
}

/** A refusal by the gates is written down as the one entry point does it. */
async function auditRefusal(
  { database, clock }: App,
  { name }: AnyOperation,
  { hands }: Drivers,
  { code, sentence }: Refusal,
): Promise<void> {
  const row = { at: clock.now(), caller: hands, act: name, resource: null, request_id: newId() };
  await database.audit(null, { ...row, outcome: 'refused', code, sentence });
}

type Proposed = { operation: AnyOperation; args: Record<string, unknown>; things: Things; bound: Mark[] };

/** The act and its approval, which the agent wrote: whoever talked to it may decide. Gives the approval's id. */
async function propose(
  tx: Transaction,
  { sealer }: App,
  turn: Turn,
  { operation, args, things, bound }: Proposed,
  now: Date,
): Promise<string> {
  stop((await proposalsOfTurn(tx, turn.id)) >= MOST_PROPOSALS ? tooManyProposals : null);
  const shown = withoutSecrets(args);
  const { by, agent_id, agent_name, thread_id } = turn;
  const author =
    by.kind === 'person'
      ? {
          kind: 'agent' as const,
          id: agent_id,
          name: agent_name,
          on_behalf_of: { kind: by.kind, id: by.id, name: by.name },
        }
      : by;
  // Proposed again, it waits once: as it is now.
  const asked = { thread_id, operation: operation.name, arguments: args, shown };
  for (const twin of await waitingTwins(tx, sealer, asked)) {
    await moveProposal(tx, twin, 'waiting', 'superseded', { settled_at: now });
    await replaceApproval(tx, { id: twin }, author, now);
  }
  const opened = await openProposal(
    tx,
    sealer,
    {
      ...asked,
      kind: 'chat_action',
      author,
      turn_id: turn.id,
      origin: 'chat',
      proposer: author.id,
      why: '',
      things,
      bound,
      steps: null,
      rehearsal: null,
      expires_at: null,
      supersedes: null,
      key: null,
      asked_hash: null,
    },
    now,
  );
  return opened.approval_id;
}
