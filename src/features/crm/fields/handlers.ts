// Handlers of custom fields: read the definitions of every noun, replace those of one.
import { z } from 'zod';
import { maySetEveryReview } from '../../../kernel/gates.ts';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { changedSince, stop } from '../../../kernel/refusal.ts';
import { bind } from '../../../kernel/context.ts';
import { fieldList, fieldReplace, NOUNS } from './contract.ts';
import { goneAndTurned, refusedAsTooMuch, refusedDefinitions, refusedToReplace } from './rules.ts';
import { countHeld, dropValues, fieldSets, lockSet, replaceFields } from './store.ts';

export const list = bind(fieldList, async ({ db }, { noun, limit, cursor }) => {
  const after = keyIn(cursor, () => z.tuple([z.enum(NOUNS)]))?.[0] ?? null;
  return pageOf(await fieldSets(db, { noun: noun ?? null, after, count: limit + 1 }), limit, (set) => [
    set.noun,
  ]);
});

export const replace = bind(fieldReplace, async (context, { noun, revision, fields, drop_values }) => {
  const { db } = context;
  stop(refusedDefinitions(fields, 'fields') ?? refusedAsTooMuch(fields));
  const before = await lockSet(db, noun);
  if (before.revision !== revision) throw changedSince(`the list of ${noun} fields`, before.revision);
  const change = goneAndTurned(before.fields, fields);
  const keys = [...change.gone, ...change.turned].map(({ key }) => key);
  stop(refusedToReplace(change, await countHeld(db, noun, keys), drop_values));
  if (drop_values)
    await dropValues(
      db,
      noun,
      change.gone.map(({ key }) => key),
      { by_wire: maySetEveryReview(context.caller) },
    );
  await replaceFields(db, noun, revision + 1, fields);
  context.about(`crm:field/${noun}`);
  context.tell('fields', noun);
  return { noun, revision: revision + 1, fields };
});
