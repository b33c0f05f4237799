// Handlers of saved views. Each caller sees their own.
import type { Caller } from '../../../kernel/caller.ts';
import { conflict, nameTaken, notThere } from '../../../kernel/refusal.ts';
import { bind, type Bound } from '../../../kernel/context.ts';
import { viewDelete, viewList, viewRename, viewSave } from './contract.ts';
import { forgetView, keepView, nameView, viewsOf } from './store.ts';

/** More than anyone reads in a menu. */
const MOST_VIEWS = 50;

/** A session is always someone's. */
function userOf({ user_id }: Caller): string {
  if (user_id === null) throw new Error('a session without a user asked for views');
  return user_id;
}

const noView = () => notThere('you have no view with that id: GET /api/me/views lists your views');

const list = bind(viewList, async ({ db, caller }, { list: name }) => ({
  items: await viewsOf(db, userOf(caller), name),
}));

const save = bind(viewSave, async (context, given) => {
  const view = await keepView(context.db, userOf(context.caller), given, MOST_VIEWS, context.now);
  if (!view)
    throw conflict(
      `you have ${MOST_VIEWS} views of this list, the maximum: delete one before you save another`,
    );
  context.about(`account:view/${view.id}`);
  return { view };
});

const rename = bind(viewRename, async (context, { view: id, name }) => {
  const view = await nameView(context.db, userOf(context.caller), id, name, context.now);
  if (view === 'taken') throw nameTaken('a view of this list');
  if (view === 'none') throw noView();
  context.about(`account:view/${view.id}`);
  return { view };
});

const remove = bind(viewDelete, async (context, { view }) => {
  if (!(await forgetView(context.db, userOf(context.caller), view))) throw noView();
  context.about(`account:view/${view}`);
  return { ok: true as const };
});

export const viewHandlers: Bound[] = [list, save, rename, remove];
