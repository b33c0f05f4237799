// Handlers of policies: built-in ones are read here and changed nowhere.
import { z } from 'zod';
import type { House } from '../../../kernel/house.ts';
import { needsAction } from '../../../kernel/operation.ts';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import type { Statement } from '../../../kernel/policy.ts';
import { conflict, invalid, nameTaken, notFound } from '../../../kernel/refusal.ts';
import { type WriteScene, bind } from '../../../kernel/scene.ts';
import { BUILT_IN, builtIn } from './built-in.ts';
import {
  policyCreate,
  policyDelete,
  policyExplain,
  policyList,
  policyUpdate,
  type PolicyRow,
} from './contract.ts';
import { explain } from './explain.ts';
import { MINT, faultOf, knownActions } from './rules.ts';
import {
  attachedCounts,
  deleteDocument,
  documents,
  insertDocument,
  lockDocument,
  updateDocument,
} from './store.ts';
import { subjectOf } from './subject.ts';

/** Built-in ones first, then by name; the key says which of the two a row was. */
export const list = bind(policyList, async ({ db }, { limit, cursor }) => {
  const [part, name] = keyIn(cursor, () => z.tuple([z.enum(['built_in', 'custom']), z.string()])) ?? [
    'built_in',
    '',
  ];
  const standing = part === 'built_in' ? BUILT_IN.filter((policy) => policy.name > name) : [];
  const written = await documents(db, part === 'custom' ? name : null, limit + 1);
  const rows = [...standing, ...written].slice(0, limit + 1);
  const attached = await attachedCounts(
    db,
    rows.map((row) => row.name),
  );
  const shown = rows.map((row) => ({
    ...row,
    version: 1 as const,
    built_in: builtIn(row.name) !== null,
    attached: attached.get(row.name) ?? 0,
  }));
  return pageOf(shown, limit, (row) => [row.built_in ? 'built_in' : 'custom', row.name]);
});

export const create = bind(policyCreate, async (scene, { name, statements }) => {
  if (builtIn(name)) throw conflict(`"${name}" is a built-in policy: choose another name`);
  check(statements, scene.house);
  if (!(await insertDocument(scene.db, { name, statements }, scene.now))) throw nameTaken('a policy');
  return changed(scene, name, statements);
});

export const update = bind(policyUpdate, async (scene, { policy, statements }) => {
  refuseBuiltIn(policy);
  check(statements, scene.house);
  if (!(await updateDocument(scene.db, { name: policy, statements }, scene.now))) throw noPolicy();
  return changed(scene, policy, statements);
});

export const remove = bind(policyDelete, async (scene, { policy }) => {
  refuseBuiltIn(policy);
  if (!(await lockDocument(scene.db, policy))) throw noPolicy();
  const carried = (await attachedCounts(scene.db, [policy])).get(policy) ?? 0;
  if (carried > 0)
    throw conflict(`"${policy}" is still attached to ${carried} users, groups and tokens: detach it first`);
  await deleteDocument(scene.db, policy);
  scene.about(`admin:policy/${policy}`);
  scene.tell('policies', policy);
  return { ok: true } as const;
});

export const explained = bind(policyExplain, async ({ db, now, house }, { principal, action, resource }) => {
  if (action !== MINT && !actionsOf(house).includes(action))
    throw invalid(`no such action "${action}": an action is area.noun.verb, such as work.item.move`);
  const subject = await subjectOf(db, principal, now);
  if (!subject)
    throw notFound(`${principal.kind}`, `GET /api/admin/${principal.kind}s lists ${principal.kind}s`);
  return explain(subject, action, resource, house.operations);
});

function check(statements: Statement[], house: House): void {
  const says = faultOf(statements, actionsOf(house));
  if (says !== null) throw invalid(says, { statements: says });
}

const actionsOf = (house: House): string[] =>
  knownActions(house.operations.flatMap((op) => needsAction(op) ?? []));

function refuseBuiltIn(name: string): void {
  if (builtIn(name))
    throw conflict(`"${name}" is built in and can’t be changed: save your own policy under another name`);
}

const noPolicy = () => notFound('policy', 'GET /api/admin/policies lists policies', 'name');

async function changed(
  scene: WriteScene,
  name: string,
  statements: Statement[],
): Promise<{ policy: PolicyRow }> {
  const attached = (await attachedCounts(scene.db, [name])).get(name) ?? 0;
  scene.about(`admin:policy/${name}`);
  scene.tell('policies', name);
  return { policy: { name, version: 1, statements, built_in: false, attached } };
}
