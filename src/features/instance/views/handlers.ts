// Handlers of saved views: whose they are follows from who asks.
import type { Caller } from '../../../kernel/caller.ts';
import { conflict, nameTaken, notFound } from '../../../kernel/refusal.ts';
import { bind, type Bound } from '../../../kernel/scene.ts';
import { viewDelete, viewList, viewRename, viewSave } from './contract.ts';
import { forgetView, keepView, nameView, viewsOf } from './store.ts';

/** More than anybody reads in a menu. */
const MOST_VIEWS = 50;

/** A session is always somebody's. */
function userOf({ user_id }: Caller): string {
  if (user_id === null) throw new Error('a session without a user asked for views');
  return user_id;
}

const noView = () => notFound('view of yours', 'GET /api/me/views lists your views');

const list = bind(viewList, async ({ db, caller }, { list: name }) => ({
  items: await viewsOf(db, userOf(caller), name),
}));

const save = bind(viewSave, async (scene, given) => {
  const view = await keepView(scene.db, userOf(scene.caller), given, MOST_VIEWS, scene.now);
  if (!view)
    throw conflict(`you have ${MOST_VIEWS} views of this list: delete one of them before you save another`);
  scene.about(`account:view/${view.id}`);
  return { view };
});

const rename = bind(viewRename, async (scene, { view: id, name }) => {
  const view = await nameView(scene.db, userOf(scene.caller), id, name, scene.now);
  if (view === 'taken') throw nameTaken('a view of this list');
  if (view === 'none') throw noView();
  scene.about(`account:view/${view.id}`);
  return { view };
});

const remove = bind(viewDelete, async (scene, { view }) => {
  if (!(await forgetView(scene.db, userOf(scene.caller), view))) throw noView();
  scene.about(`account:view/${view}`);
  return { ok: true as const };
});

export const viewHandlers: Bound[] = [list, save, rename, remove];
