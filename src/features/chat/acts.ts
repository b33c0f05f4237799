// One call of an agent: what it comes to is ruled on, and then done through the one door, proposed to a person, or refused in
// a sentence. Whatever happens is text for the agent; nothing of it is a fault of the turn.
import { SECOND_MS } from '../../kernel/clock.ts';
import type { Transaction } from '../../kernel/ground.ts';
import type { House } from '../../kernel/house.ts';
import { newId } from '../../kernel/ids.ts';
import { freshRequest, invoke } from '../../kernel/invoke.ts';
import type { AnyOperation } from '../../kernel/operation.ts';
import { parseArguments } from '../../kernel/parse.ts';
import { conflict, Refusal } from '../../kernel/refusal.ts';
import { openApproval } from '../approvals/open.store.ts';
import { framed } from '../agents/frame.rules.ts';
import type { Call } from '../agents/model.ts';
import { callCapability } from '../capabilities/call.ts';
import { insertAction } from './action.store.ts';
import { refusedEarly, rulingOn, shownArguments } from './acts.rules.ts';
import type { Offered } from './agent-tools.ts';
import type { Drivers } from './driver.ts';
import type { Turn, Used } from './turn.store.ts';

/** One act of an agent takes at most this long, as one of a request tool does. */
const ACT_MS = 30 * SECOND_MS;

const BROKE =
  'something broke on our side, and an operator finds it in the log: look whether it was done before you try again';

export type Acting = {
  house: House;
  turn: Turn;
  drivers: Drivers;
  tools: ReadonlyMap<string, Offered>;
  /** The agent's own list: another party's tool is called by its name in it alone. */
  allowed: readonly string[] | null;
  signal: AbortSignal;
};

/** `text` is what the agent is told, `used` what people see. */
export type Acted = { text: string; used: Used };

export async function act(acting: Acting, call: Call): Promise<Acted> {
  const { house } = acting;
  try {
    return await perform(acting, call);
  } catch (error) {
    if (!(error instanceof Refusal))
      house.log.error({ err: error, tool: call.name }, 'an act of an agent broke');
    const sentence = error instanceof Refusal ? error.sentence : BROKE;
    return { text: `refused: ${sentence}`, used: { name: nameOf(call), outcome: 'refused', sentence } };
  }
}

/** A model may write anything for a name. */
const nameOf = ({ name }: Call): string => name.replace(/[^\w-]/g, '').slice(0, 64);

async function perform(acting: Acting, call: Call): Promise<Acted> {
  const { house, turn, drivers, tools, signal } = acting;
  const tool = tools.get(call.name);
  if (!tool) throw conflict('you have no tool of that name');
  if (call.broken)
    throw conflict('the arguments were not one JSON object, so nothing was done: write them again, whole');
  const refuse = async (operation: AnyOperation, refusal: Refusal): Promise<never> => {
    await auditRefusal(house, operation, drivers, refusal);
    throw refusal;
  };
  // Whoever has no right to any of it hears so before the arguments are read.
  const early = tool.calls.map((op) => refusedEarly(op, drivers.judged, house.clock.now()));
  if (tool.calls[0] && early[0] && early.every((each) => each !== null))
    await refuse(tool.calls[0], early[0]);
  const picked = tool.pick(house, call.input);
  const name = nameOf(call);
  const done = (answer: unknown): Acted => ({
    text: framed(name, JSON.stringify(answer)),
    used: { name, outcome: 'done', sentence: null },
  });
  if ('answer' in picked) return done(picked.answer);
  if ('foreign' in picked) return callForeign(acting, call);
  const { operation } = picked;
  const now = house.clock.now();
  const without = refusedEarly(operation, drivers.judged, now);
  if (without) await refuse(operation, without);
  const args = parseArguments(operation.takes, picked.arguments);
  const ruling = rulingOn(operation, args, drivers.judged, now);
  if (ruling.ruled === 'refuse') return refuse(operation, ruling.refusal);
  if (ruling.ruled === 'propose') {
    const id = await house.ground.transact((tx) =>
      propose(tx, house, turn, operation, picked.arguments, now),
    );
    house.ground.tell([{ topic: 'approvals', id }]);
    const sentence = `${operation.name} waits for a person: approval ${id}. It has not happened.`;
    return { text: sentence, used: { name, outcome: 'pending', sentence } };
  }
  const facts = freshRequest({ signal: AbortSignal.any([signal, AbortSignal.timeout(ACT_MS)]) });
  return done((await invoke(house, operation, drivers.hands, () => picked.arguments, facts)).answer);
}

/** Another party's tool: what it answers is data, and its own failure is told as such. */
async function callForeign({ house, drivers, allowed, signal }: Acting, call: Call): Promise<Acted> {
  const { name: called, input: args } = call;
  const { text, failed } = await callCapability(house, drivers.hands, { called, args, allowed, signal });
  const sentence = failed ? 'the tool of another party says that it failed' : null;
  return {
    text: `${failed ? 'it says that it failed: ' : ''}${framed(called, text)}`,
    used: { name: nameOf(call), outcome: failed ? 'refused' : 'done', sentence },
  };
}

/** A refusal by the gates is written down as the one door does it. */
async function auditRefusal(
  { ground, clock }: House,
  { name }: AnyOperation,
  { hands }: Drivers,
  { code, sentence }: Refusal,
): Promise<void> {
  const row = { at: clock.now(), caller: hands, act: name, resource: null, request_id: newId() };
  await ground.audit(null, { ...row, outcome: 'refused', code, sentence });
}

const TITLE_MAX = 300;

/** The act and its approval, which the agent wrote: whoever talked to it may decide. Gives the approval's id. */
async function propose(
  tx: Transaction,
  { sealer }: House,
  turn: Turn,
  operation: AnyOperation,
  args: Record<string, unknown>,
  now: Date,
): Promise<string> {
  const [id, approval_id] = [newId(), newId()];
  const shown = shownArguments(args);
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
  const title = `${operation.name} ${JSON.stringify(shown)}`.toWellFormed().replaceAll('\0', '');
  const subject = {
    kind: 'chat_action',
    id,
    key: operation.name,
    title: title.length > TITLE_MAX ? `${title.slice(0, TITLE_MAX - 1).toWellFormed()}…` : title,
    revision: 1,
  };
  await openApproval(
    tx,
    { id: approval_id, kind: 'chat_action', subject, project_id: null, author },
    author,
    now,
  );
  const action = {
    id,
    thread_id,
    turn_id: turn.id,
    approval_id,
    operation: operation.name,
    arguments: args,
    shown,
  };
  await insertAction(tx, sealer, action, now);
  return approval_id;
}
