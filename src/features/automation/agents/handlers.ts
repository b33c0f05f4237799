// Handlers of agents and models. Only the app knows which tools an agent may name.
import { z } from 'zod';
import { type Caller, isPerson } from '../../../kernel/caller.ts';
import type { App } from '../../../kernel/app.ts';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { Refusal, changedSince, conflict, invalid, nameTaken, notFound } from '../../../kernel/refusal.ts';
import { bind, type WriteContext } from '../../../kernel/context.ts';
import { calledAs } from '../capabilities/rules.ts';
import { capabilityRows } from '../capabilities/store.ts';
import { readSettings } from '../../access/settings/store.ts';
import {
  type Agent,
  agentAllow,
  agentCreate,
  agentDelete,
  agentList,
  agentTools,
  agentUpdate,
  modelList,
} from './contract.ts';
import { askProviders, firstOf } from './models.ts';
import { allowable } from './proposed.rules.ts';
import { builtInStays } from './rules.ts';
import { agentRows, deleteAgent, insertAgent, lockAgent, saveAgent, saveAllowed } from './store.ts';
import { isForeignName, toolsForAgents, toolsInWords } from './tools.rules.ts';

const list = bind(agentList, async ({ db }, { limit, cursor }) => {
  const last = keyIn(cursor, () => z.tuple([z.string()]));
  const page = pageOf(await agentRows(db, last?.[0] ?? null, limit + 1), limit, (row) => row.key);
  return { ...page, items: page.items.map((row) => row.agent) };
});

const models = bind(modelList, async ({ db, app }) => {
  const listed = await askProviders(app, db);
  const { chat } = await readSettings(db);
  return {
    items: listed.flatMap(({ provider, title, models: names }) =>
      names.map((name) => ({ name, provider, provider_title: title })),
    ),
    next_cursor: null,
    default: chat.default_model ?? firstOf(app, listed),
    providers: listed.map(({ provider, title, state, sentence }) => ({ provider, title, state, sentence })),
  };
});

const MOST_PARTIES = 200;

const tools = bind(agentTools, async ({ db, app, caller }) => {
  const parties = await capabilityRows(db, caller, 'admin.capability.read', null, MOST_PARTIES);
  const foreign = parties.flatMap((party) =>
    party.tools
      .filter(({ state }) => state === 'on')
      .map(({ name, says }) => ({
        name: calledAs(party.name, name),
        title: name,
        says: says.slice(0, 300).toWellFormed(),
        party: party.title,
      })),
  );
  const own = toolsInWords(app).map((each) => ({ ...each, party: null }));
  const acts = allowable(app.operations).map(({ name, says }) => ({ operation: name, says }));
  return { items: [...own, ...foreign], next_cursor: null, acts };
});

const create = bind(agentCreate, async (context, { name, instructions = '', tools = null, model = null }) => {
  const { db, caller, now, app } = context;
  const fields = { name, instructions, tools: checked(app, caller, tools), model };
  return shown(context, (await insertAgent(db, fields, caller.principal, now)) ?? taken());
});

const update = bind(agentUpdate, async (context, { agent: id, revision, ...given }) => {
  const { db, now, app, caller, request } = context;
  const agent = await lockedAt(db, id, revision);
  const { name = agent.name, instructions = agent.instructions } = given;
  const tools = given.tools === undefined ? agent.tools : checked(app, caller, given.tools, agent.tools);
  const model = given.model === undefined ? agent.model : given.model;
  // What it is told, its model and the name that others call it by decide what it does unasked: words by a token never come
  // with what a person allowed for others, and nor do those that an agent wrote and a person approved (`first`).
  const toldAnew =
    name !== agent.name ||
    instructions !== agent.instructions ||
    model !== agent.model ||
    !sameNames(tools, agent.tools);
  const byHand = caller.credential.kind === 'session' && request.first === undefined;
  const allowed = toldAnew && !byHand ? [] : agent.allowed;
  const fields = { name, instructions, tools, model, allowed };
  return shown(context, (await saveAgent(db, id, fields, now)) ?? taken());
});

const allow = bind(agentAllow, async (context, { agent: id, revision, allowed }) => {
  const { db, now, app } = context;
  await lockedAt(db, id, revision);
  const known = allowable(app.operations).map(({ name }) => name);
  const strange = allowed.flatMap((name, place) => (known.includes(name) ? [] : [`allowed.${place}`]));
  if (strange.length > 0)
    throw invalid(NO_SUCH_ACT, Object.fromEntries(strange.map((field) => [field, NO_SUCH_ACT])));
  return shown(context, await saveAllowed(db, id, [...new Set(allowed)].toSorted(), now));
});

const remove = bind(agentDelete, async (context, { agent: id }) => {
  const agent = await lockAgent(context.db, id);
  if (!agent) throw noAgent();
  if (agent.built_in) throw conflict(builtInStays(agent.name));
  await deleteAgent(context.db, id);
  context.tell('agents', id);
  return { ok: true } as const;
});

export const agentHandlers = [list, models, tools, create, update, allow, remove];

async function lockedAt(db: WriteContext['db'], id: string, revision: number): Promise<Agent> {
  const agent = await lockAgent(db, id);
  if (!agent) throw noAgent();
  if (agent.revision === revision) return agent;
  throw changedSince(`agent ${agent.name}`, agent.revision);
}

const sameNames = (a: readonly string[] | null, b: readonly string[] | null): boolean =>
  JSON.stringify(a?.toSorted()) === JSON.stringify(b?.toSorted());

function shown(context: WriteContext, agent: Agent): { agent: Agent } {
  context.about(`admin:agent/${agent.id}`);
  context.tell('agents', agent.id);
  return { agent };
}

const PEOPLE_NAME_THEM =
  'only a person can add third-party tools to an agent’s list, on screen or with a token of their own: leave those tools out';

/** `had`: its list so far. Otherwise an agent would widen its own list, and call what no one left to it. */
function checked(
  app: App,
  caller: Caller,
  tools: string[] | null,
  had: string[] | null = null,
): string[] | null {
  if (tools === null) return null;
  const adds = tools.some((name) => isForeignName(name) && !had?.includes(name));
  if (adds && !isPerson(caller)) throw new Refusal(403, 'people_only', PEOPLE_NAME_THEM);
  const known = toolsForAgents(app);
  const strange = tools.filter((name) => !known.includes(name) && !isForeignName(name));
  if (strange.length === 0) return [...new Set(tools)];
  const says = `tools: ${strange.slice(0, 3).join(', ').slice(0, 120)} is not a tool that agents can use; available tools include ${known.slice(0, 4).join(', ')} and ${Math.max(known.length - 4, 0)} more`;
  throw invalid(says, { tools: says });
}

const NO_SUCH_ACT =
  'allowed: agents can’t be allowed to do one of these acts; GET /api/agents/tools lists the acts to choose from';

const noAgent = (): Refusal => notFound('agent', 'GET /api/agents lists agents');

function taken(): never {
  throw nameTaken('an agent');
}
