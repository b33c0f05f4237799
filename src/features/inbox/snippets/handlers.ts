// Handlers of snippets.
import { z } from 'zod';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { changedSince, conflict } from '../../../kernel/refusal.ts';
import { bind, type Bound, type WriteContext } from '../../../kernel/context.ts';
import { snippetCreate, snippetDelete, snippetList, snippetUpdate, type Snippet } from './contract.ts';
import { deleteSnippet, insertSnippet, listSnippets, lockSnippet, saveSnippet } from './store.ts';

function told(context: WriteContext, snippet: Snippet): { snippet: Snippet } {
  context.about(`inbox:snippet/${snippet.id}`);
  context.tell('snippets', snippet.id);
  return { snippet };
}

const list = bind(snippetList, async ({ db, caller }, { limit, cursor }) => {
  const after = keyIn(cursor, () => z.tuple([z.string(), z.guid()]));
  return pageOf(await listSnippets(db, caller, after, limit + 1), limit, ({ name, id }) => [name, id]);
});

const create = bind(snippetCreate, async (context, { own, ...said }) => {
  const { db, caller, now } = context;
  if (own && caller.user_id === null)
    throw conflict(
      'this token has no user and can’t own private saved replies: leave out own to share the reply with everyone',
    );
  return told(
    context,
    await insertSnippet(db, caller, { ...said, owner_id: own ? caller.user_id : null }, now),
  );
});

const update = bind(snippetUpdate, async (context, { snippet: id, revision, ...said }) => {
  const snippet = await lockSnippet(context.db, context.caller, id);
  if (snippet.revision !== revision) throw changedSince('this saved reply', snippet.revision);
  return told(context, await saveSnippet(context.db, snippet, said, context.now));
});

const remove = bind(snippetDelete, async (context, { snippet: id }) => {
  const snippet = await lockSnippet(context.db, context.caller, id);
  await deleteSnippet(context.db, snippet);
  told(context, snippet);
  return { ok: true as const };
});

export const snippetHandlers: Bound[] = [list, create, update, remove];
