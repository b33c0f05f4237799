// Handlers of capabilities: the rows, what a server says that it has, and what a person agrees to.
import { z } from 'zod';
import { isPerson } from '../../../kernel/caller.ts';
import type { House } from '../../../kernel/house.ts';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { conflict, invalid, stop } from '../../../kernel/refusal.ts';
import { bind, bindAsking, type ReadScene, type WriteScene } from '../../../kernel/scene.ts';
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
  (scene, { url }) => checkedUrl(scene, url),
  async (scene, { name, title, auth, client_id, client_secret }, url) => {
    const id = newCapabilityId();
    await insertCapability(
      scene.db,
      {
        id,
        name,
        auth,
        url,
        title: title ?? name,
        is_on: true,
        ...clientOf(scene, id, client_id ?? null, client_secret ?? null),
        approved_at: approvalNow(scene),
      },
      scene.caller.principal,
      scene.now,
    );
    return answer(scene, id);
  },
);

export const update = bindAsking(
  capabilityUpdate,
  async (scene, { capability, url }) => {
    await loadCapability(scene.db, scene.caller, 'admin.capability.write', capability);
    return url === undefined ? null : checkedUrl(scene, url);
  },
  async (scene, { capability: id, revision, ...wished }, url) => {
    const row = await loadCapability(scene.db, scene.caller, 'admin.capability.write', id);
    scene.about(capabilityName(row.name));
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
              scene,
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
      approved_at: moved ? approvalNow(scene) : row.approved_at,
    };
    stop(ruleLimits(row, wanted, isPerson(scene.caller)));
    await saveCapability(scene.db, id, revision, wanted, moved);
    return answer(scene, id);
  },
);

export const remove = bind(capabilityDelete, async (scene, { capability }) => {
  const row = await loadCapability(scene.db, scene.caller, 'admin.capability.delete', capability);
  scene.about(capabilityName(row.name));
  await deleteCapability(scene.db, row.id);
  return { ok: true as const };
});

export const refreshTools = bindAsking(
  capabilityRefresh,
  async (scene, { capability }) => {
    const row = await loadCapability(scene.db, scene.caller, 'admin.capability.refresh', capability);
    demandApproved(scene.caller, row);
    const patience = { signal: scene.request.signal, within_ms: CONVERSATION_MS };
    const found = await converse(scene.house, scene.caller, row, patience, toolsOf);
    const clean = found.map(kept);
    return [
      ...new Map(clean.filter((tool) => fits(row.name, tool)).map((tool) => [tool.name, tool])).values(),
    ];
  },
  async (scene, { capability }, found) => {
    const row = await loadCapability(scene.db, scene.caller, 'admin.capability.refresh', capability);
    scene.about(capabilityName(row.name));
    await saveTools(scene.db, row.id, found, scene.now);
    return answer(scene, row.id);
  },
);

export const consent = bind(capabilityConsent, async (scene, { capability, tools }) => {
  const row = await loadCapability(scene.db, scene.caller, 'admin.capability.consent', capability);
  scene.about(capabilityName(row.name));
  await consentTo(scene.db, row.id, tools, scene.caller.principal, scene.now);
  return answer(scene, row.id);
});

/** The row as it stands now, to somebody who was let at it a moment ago. */
export async function answer(scene: WriteScene, id: string): Promise<Capability> {
  const { db, house, caller, now } = scene;
  const row = await savedCapability(db, id);
  if (!row) throw conflict('somebody removed this tool server meanwhile');
  const account =
    caller.user_id === null
      ? null
      : await accountOf(db, house.sealer, { capability_id: id, user_id: caller.user_id });
  return shown(row, account, now);
}

/** A person who gives an address stands for it; what an agent gives waits for one. */
const approvalNow = ({ caller, now }: WriteScene): Date | null => (isPerson(caller) ? now : null);

function clientOf(scene: WriteScene, id: string, client_id: string | null, client_secret: string | null) {
  if (client_secret !== null && client_id === null)
    throw invalid('client_secret needs the client_id that it belongs to', {
      client_secret: 'client_secret needs the client_id that it belongs to',
    });
  const sealed = client_secret && scene.house.sealer.seal(client_secret, clientContext(id));
  return { client_id, client_secret: sealed || null };
}

/** Nothing is looked up for an agent: a name is a message too, to whoever answers for it. Every call looks it up and checks. */
async function checkedUrl({ house, caller }: ReadScene, typed: string): Promise<string> {
  const lookup = isPerson(caller) ? house.outside.lookup : async () => [];
  const admitted = await admitUrl(typed, house.outside.hosts, { lookup });
  const says = admitted.ok ? await faultOf(house, new URL(admitted.url), lookup) : admitted.sentence;
  if (!admitted.ok || says !== null) throw invalid(`url: ${says}`, { url: says ?? '' });
  return admitted.url;
}

/** No switch is open. */
const PUBLIC_ALONE = { allowedHosts: { names: new Set<string>(), networks: { has: () => false } } };

async function faultOf({ instance }: House, url: URL, lookup: Lookup): Promise<string | null> {
  if (isOwn(instance.base_url, url)) return OWN_ADDRESS;
  if (url.hash !== '') return 'leave out what follows #: it is never sent';
  if (url.protocol === 'https:') return null;
  const open = await admitUrl(url.href, PUBLIC_ALONE, { lookup });
  return open.ok ? 'write it with https://, or everybody on the way reads what agents send there' : null;
}
