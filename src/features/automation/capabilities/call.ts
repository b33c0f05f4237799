// Tools of other parties that built-in agents may call, and calling them. A call is an agent’s act: it needs the
// permission, the name in the agent’s own list of tools, a person’s approval of the tool’s exact words, and the
// caller’s own sign-in there.
import type { Caller } from '../../../kernel/caller.ts';
import { SECOND_MS } from '../../../kernel/clock.ts';
import type { AuditRow } from '../../../kernel/database.ts';
import type { App } from '../../../kernel/app.ts';
import { newId } from '../../../kernel/ids.ts';
import { Refusal, notThere, conflict } from '../../../kernel/refusal.ts';
import { connectionsOf } from './account.store.ts';
import { capabilityName } from './contract.ts';
import { ANSWER_CHARS, spent } from './limits.rules.ts';
import { converse } from './reach.ts';
import { calledAs, hashOf, kept, storable, troubleRefusal } from './rules.ts';
import { callTool, toolsOf, type FoundTool } from './speak.ts';
import { capabilityNamed, capabilityRows, countCall, type LoadedCapability } from './store.ts';
import { markChanged } from './tools.store.ts';
import { demandApproved } from './approved.ts';

const CALL = 'admin.capability.call';
const MOST_SERVERS = 200;

/** `allowed`: the names in the agent's list of tools. A tool of another party is offered by name alone, never with "all". */
type Allowed = readonly string[] | null;

export type OfferedCapability = { called: string; title: string; says: string; schema: unknown };

/** What this caller's agent may be told of. The words are another party's: they go to a model as data of theirs. */
export async function offeredCapabilities(
  app: App,
  caller: Caller,
  allowed: Allowed,
): Promise<OfferedCapability[]> {
  if (!allowed?.some((name) => name.includes('__'))) return [];
  const { reader } = app.database;
  const rows = await capabilityRows(reader, caller, CALL, null, MOST_SERVERS);
  const connections = await connectionsOf(reader, caller.user_id);
  return rows
    .filter((row) => row.is_on && (row.auth === 'none' || connections.get(row.id)?.state === 'connected'))
    .flatMap((row) =>
      row.tools
        .filter((tool) => tool.state === 'on' && allowed.includes(calledAs(row.name, tool.name)))
        .map(({ name, says, schema }) => ({
          called: calledAs(row.name, name),
          title: row.title,
          says,
          schema,
        })),
    );
}

export type CapabilityAnswer = {
  /** Another party's words, cut; never more than data. */
  text: string;
  cut: boolean;
  /** The tool itself says that it failed. */
  failed: boolean;
  /** Parts that are no text. */
  left_out: number;
};

/** Calls `called` as this caller. Throws a Refusal; every call is in the audit log. */
export async function callCapability(
  app: App,
  caller: Caller,
  {
    called,
    args,
    allowed,
    signal,
  }: { called: string; args: Record<string, unknown>; allowed: Allowed; signal?: AbortSignal },
): Promise<CapabilityAnswer> {
  const row: AuditRow = {
    at: app.clock.now(),
    caller,
    act: 'capability_call',
    resource: capabilityName(called),
    outcome: 'done',
    code: null,
    sentence: null,
    request_id: newId(),
  };
  try {
    const answer = await calling(app, caller, called, args, allowed, signal);
    await app.database.audit(null, row);
    return answer;
  } catch (error) {
    const refusal = error instanceof Refusal ? error : null;
    const { code, sentence } = refusal ?? { code: 'fault', sentence: null };
    await app.database.audit(null, { ...row, outcome: refusal ? 'refused' : 'fault', code, sentence });
    throw error;
  }
}

async function calling(
  app: App,
  caller: Caller,
  called: string,
  args: Record<string, unknown>,
  allowed: Allowed,
  signal: AbortSignal | undefined,
): Promise<CapabilityAnswer> {
  if (!allowed?.includes(called))
    throw new Refusal(
      403,
      'policy_denied',
      'that tool is not on this agent’s list: an administrator can add it in Settings → Agents',
    );
  const row = await capabilityNamed(app.database.reader, caller, CALL, called.split('__')[0] ?? '');
  demandApproved(caller, row);
  const tool = row.tools.find(({ name }) => calledAs(row.name, name) === called);
  if (!tool)
    throw notThere(`${row.title} has no tool with that name: Settings → Capabilities lists its tools`);
  if (tool.state !== 'on') throw switchedOff(row, tool.state);
  const now = app.clock.now();
  if (!(await app.database.transact((tx) => countCall(tx, row.id, now)))) throw spent(row, now);
  const patience = { signal, within_ms: row.deadline_seconds * SECOND_MS };
  const answer = await converse(app, caller, row, patience, async (client, until) => {
    // What a person agreed to is looked at again at every call: a server may change its mind between two of them.
    const now = (await toolsOf(client, until)).find(({ name }) => name === tool.name);
    if (!now) return { missing: true as const };
    const clean = kept(now);
    if (hashOf(clean) !== tool.hash) return { changed: clean };
    return callTool(client, tool.name, args, until);
  });
  if ('missing' in answer) throw troubleRefusal('no_tool', row.title, null);
  if ('changed' in answer) throw await changed(app, row, answer.changed);
  const text = storable(answer.text);
  return {
    ...answer,
    text: text.slice(0, ANSWER_CHARS).toWellFormed(),
    cut: text.length > ANSWER_CHARS,
  };
}

async function changed(app: App, row: LoadedCapability, tool: FoundTool): Promise<Refusal> {
  await app.database.transact((tx) => markChanged(tx, row.id, tool));
  return switchedOff(row, 'changed');
}

const switchedOff = ({ title }: LoadedCapability, state: string): Refusal =>
  conflict(
    state === 'changed'
      ? `the description of that tool from ${title} changed after a person accepted it: a person can review it in Settings → Capabilities`
      : `that tool from ${title} is not turned on: a person can review it in Settings → Capabilities`,
  );
