// Handlers of capabilities: the rows, the tools that a server lists, and what a person approves.
import { z } from 'zod';
import { isPerson } from '../../../kernel/caller.ts';
import type { App } from '../../../kernel/app.ts';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { conflict, invalid, stop } from '../../../kernel/refusal.ts';
import { bind, bindAsking, type ReadContext, type WriteContext } from '../../../kernel/context.ts';
import { admitUrl, type Lookup } from '../../../net/resolve.ts';
import { demandApproved } from './approved.ts';
import { accountOf, connectionsOf } from './account.store.ts';
import {
  type Capability,
  capabilityConsent,
  capabilityCreate,
  capabilityDelete,
  capabilityList,
  capabilityName,
  capabilityRefresh,
  capabilityUpdate,
} from './contract.ts';
import { CONVERSATION_MS, ruleLimits } from './limits.rules.ts';
import { converse } from './reach.ts';
import { fits, isOwn, kept, OWN_ADDRESS } from './rules.ts';
import { toolsOf } from './speak.ts';
import {
  capabilityRows,
  clientContext,
  deleteCapability,
  insertCapability,
  loadCapability,
  newCapabilityId,
  saveCapability,
  savedCapability,
  shown,
} from './store.ts';
import { consentTo, saveTools } from './tools.store.ts';

export const list = bind(capabilityList, async ({ db, caller, now }, { limit, cursor }) => {
  const key = keyIn(cursor, () => z.tuple([z.string()]));
  const rows = await capabilityRows(db, caller, 'admin.capability.read', key?.[0] ?? null, limit + 1);
  const connections = await connectionsOf(db, caller.user_id);
  const items = rows.map((row) => shown(row, connections.get(row.id) ?? null, now));
  return pageOf(items, limit, ({ name }) => [name]);
});

export const create = bindAsking(
  capabilityCreate,
  (context, { url }) => checkedUrl(context, url),
  async (context, { name, title, auth, client_id, client_secret }, url) => {
    const id = newCapabilityId();
    await insertCapability(
      context.db,
      {
        id,
        name,
        auth,
        url,
        title: title ?? name,
        is_on: true,
        ...clientOf(context, id, client_id ?? null, client_secret ?? null),
        approved_at: approvalNow(context),
      },
      context.caller.principal,
      context.now,
    );
    return answer(context, id);
  },
  { instead: async (_, { url }) => url, says: 'A rehearsal doesn’t look up the address.' },
);

export const update = bindAsking(
  capabilityUpdate,
  async (context, { capability, url }) => {
    await loadCapability(context.db, context.caller, 'admin.capability.write', capability);
    return url === undefined ? null : checkedUrl(context, url);
  },
  async (context, { capability: id, revision, ...wished }, url) => {
    const row = await loadCapability(context.db, context.caller, 'admin.capability.write', id);
    context.about(capabilityName(row.name));
    const moved = url !== null && url !== row.url;
    // A secret goes to no address but the one that it was given for.
    const stays = moved ? { client_id: null, client_secret: null } : row;
    const renamed = wished.client_id !== undefined && wished.client_id !== stays.client_id;
    const secret = wished.client_secret;
    const client =
      wished.client_id === undefined && secret === undefined
        ? { client_id: stays.client_id, client_secret: stays.client_secret }
        : {
            ...clientOf(
              context,
              id,
              wished.client_id === undefined ? stays.client_id : wished.client_id,
              secret ?? null,
            ),
            ...(secret === undefined && !renamed && { client_secret: stays.client_secret }),
          };
    const wanted = {
      ...client,
      title: wished.title ?? row.title,
      url: url ?? row.url,
      is_on: wished.on ?? row.is_on,
      daily_calls: wished.daily_calls ?? row.daily_calls,
      deadline_seconds: wished.deadline_seconds ?? row.deadline_seconds,
      approved_at: moved ? approvalNow(context) : row.approved_at,
    };
    stop(ruleLimits(row, wanted, isPerson(context.caller)));
    await saveCapability(context.db, id, revision, wanted, moved);
    return answer(context, id);
  },
  { instead: async (_, { url }) => url ?? null, says: 'A rehearsal doesn’t look up the address.' },
);

export const remove = bind(capabilityDelete, async (context, { capability }) => {
  const row = await loadCapability(context.db, context.caller, 'admin.capability.delete', capability);
  context.about(capabilityName(row.name));
  await deleteCapability(context.db, row.id);
  return { ok: true as const };
});

export const refreshTools = bindAsking(
  capabilityRefresh,
  async (context, { capability }) => {
    const row = await loadCapability(context.db, context.caller, 'admin.capability.refresh', capability);
    demandApproved(context.caller, row);
    const patience = { signal: context.request.signal, within_ms: CONVERSATION_MS };
    const found = await converse(context.app, context.caller, row, patience, toolsOf);
    const clean = found.map(kept);
    return [
      ...new Map(clean.filter((tool) => fits(row.name, tool)).map((tool) => [tool.name, tool])).values(),
    ];
  },
  async (context, { capability }, found) => {
    const row = await loadCapability(context.db, context.caller, 'admin.capability.refresh', capability);
    context.about(capabilityName(row.name));
    await saveTools(context.db, row.id, found, context.now);
    return answer(context, row.id);
  },
  { cannot: 'This asks another server, which a rehearsal doesn’t do.' },
);

export const consent = bind(capabilityConsent, async (context, { capability, tools }) => {
  const row = await loadCapability(context.db, context.caller, 'admin.capability.consent', capability);
  context.about(capabilityName(row.name));
  await consentTo(context.db, row.id, tools, context.caller.principal, context.now);
  return answer(context, row.id);
});

/** The row as it is now, to someone who was let at it a moment ago. */
export async function answer(context: WriteContext, id: string): Promise<Capability> {
  const { db, app, caller, now } = context;
  const row = await savedCapability(db, id);
  if (!row) throw conflict('this tool server was deleted in the meantime');
  const account =
    caller.user_id === null
      ? null
      : await accountOf(db, app.sealer, { capability_id: id, user_id: caller.user_id });
  return shown(row, account, now);
}

/** A person who gives an address vouches for it; what an agent gives waits for one. */
const approvalNow = ({ caller, now }: WriteContext): Date | null => (isPerson(caller) ? now : null);

function clientOf(context: WriteContext, id: string, client_id: string | null, client_secret: string | null) {
  if (client_secret !== null && client_id === null)
    throw invalid('client_secret requires client_id: give both', {
      client_secret: 'client_secret requires client_id: give both',
    });
  const sealed = client_secret && context.app.sealer.seal(client_secret, clientContext(id));
  return { client_id, client_secret: sealed || null };
}

/** Nothing is looked up for an agent: a name is a message too, to whoever answers for it. Every call looks it up and checks. */
async function checkedUrl({ app, caller }: ReadContext, typed: string): Promise<string> {
  const lookup = isPerson(caller) ? app.outside.lookup : async () => [];
  const admitted = await admitUrl(typed, app.outside.hosts, { lookup });
  const says = admitted.ok ? await faultOf(app, new URL(admitted.url), lookup) : admitted.sentence;
  if (!admitted.ok || says !== null) throw invalid(`url: ${says}`, { url: says ?? '' });
  return admitted.url;
}

/** No switch is open. */
const PUBLIC_ALONE = { allowedHosts: { names: new Set<string>(), networks: { has: () => false } } };

async function faultOf({ instance }: App, url: URL, lookup: Lookup): Promise<string | null> {
  if (isOwn(instance.base_url, url)) return OWN_ADDRESS;
  if (url.hash !== '') return 'leave out what follows #: it is never sent';
  if (url.protocol === 'https:') return null;
  const open = await admitUrl(url.href, PUBLIC_ALONE, { lookup });
  return open.ok ? 'use https://: over http:// anyone on the network path can read what agents send' : null;
}
