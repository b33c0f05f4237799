// Handlers of policies. Built-in ones can only be read.
import { z } from 'zod';
import type { App } from '../../../kernel/app.ts';
import { needsAction } from '../../../kernel/operation.ts';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import type { Statement } from '../../../kernel/policy.ts';
import { conflict, invalid, nameTaken, notFound } from '../../../kernel/refusal.ts';
import { type WriteContext, bind } from '../../../kernel/context.ts';
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

export const create = bind(policyCreate, async (context, { name, statements }) => {
  if (builtIn(name)) throw conflict(`"${name}" is a built-in policy: choose another name`);
  check(statements, context.app);
  if (!(await insertDocument(context.db, { name, statements }, context.now))) throw nameTaken('a policy');
  return changed(context, name, statements);
});

export const update = bind(policyUpdate, async (context, { policy, statements }) => {
  refuseBuiltIn(policy);
  check(statements, context.app);
  if (!(await updateDocument(context.db, { name: policy, statements }, context.now))) throw noPolicy();
  return changed(context, policy, statements);
});

export const remove = bind(policyDelete, async (context, { policy }) => {
  refuseBuiltIn(policy);
  if (!(await lockDocument(context.db, policy))) throw noPolicy();
  const carried = (await attachedCounts(context.db, [policy])).get(policy) ?? 0;
  if (carried > 0)
    throw conflict(`"${policy}" is still attached to ${carried} users, groups or tokens: detach it first`);
  await deleteDocument(context.db, policy);
  context.about(`admin:policy/${policy}`);
  context.tell('policies', policy);
  return { ok: true } as const;
});

export const explained = bind(policyExplain, async ({ db, now, app }, { principal, action, resource }) => {
  if (action !== MINT && !actionsOf(app).includes(action))
    throw invalid(`no such action "${action}": an action is area.noun.verb, such as work.item.move`);
  const subject = await subjectOf(db, principal, now);
  if (!subject)
    throw notFound(`${principal.kind}`, `GET /api/admin/${principal.kind}s lists ${principal.kind}s`);
  return explain(subject, action, resource, app.operations);
});

function check(statements: Statement[], app: App): void {
  const says = faultOf(statements, actionsOf(app));
  if (says !== null) throw invalid(says, { statements: says });
}

const actionsOf = (app: App): string[] => knownActions(app.operations.flatMap((op) => needsAction(op) ?? []));

function refuseBuiltIn(name: string): void {
  if (builtIn(name))
    throw conflict(`"${name}" is built in and can’t be changed: save your own policy under another name`);
}

const noPolicy = () => notFound('policy', 'GET /api/admin/policies lists policies', 'name');

async function changed(
  context: WriteContext,
  name: string,
  statements: Statement[],
): Promise<{ policy: PolicyRow }> {
  const attached = (await attachedCounts(context.db, [name])).get(name) ?? 0;
  context.about(`admin:policy/${name}`);
  context.tell('policies', name);
  return { policy: { name, version: 1, statements, built_in: false, attached } };
}
