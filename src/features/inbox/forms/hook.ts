// POST /hooks/form/:form: what a browser, or someone's own site, posts. It is bounded, paced by address and by form, and
// answered alike whoever is known here. The script of another page may post and read the answer where the form names that page.
import type { Hook, HookRequest } from '../../../kernel/hook.ts';
import type { App } from '../../../kernel/app.ts';
import { takeAtPlace } from '../../../kernel/limits.ts';
import { placeOf } from '../../../kernel/place.ts';
import { landPost } from './land.ts';
import {
  answerWith,
  mayAsk,
  NO_ADDRESS,
  readableBy,
  type FormPage,
  sentOn,
  THANKS,
  TOO_OFTEN,
  UNKNOWN,
  UNREADABLE,
} from './page.ts';
import { readPost } from './rules.ts';
import { type FormRow, openForm } from './store.ts';

const LIMIT_BYTES = 256 * 1024;
const SLUG = /^[\w-]{22}$/;

export const formHook: Hook = {
  method: 'POST',
  path: '/hooks/form/:form',
  async handle(app, request) {
    const type = String(request.headers['content-type'] ?? '');
    const json =
      /^application\/json\b/i.test(type) || /\bapplication\/json\b/.test(String(request.headers.accept));
    const { said, form } = await take(app, request, type);
    // A script is told what came of it, and goes where it wants on its own.
    const answer =
      said === THANKS && form?.redirect_url && !json ? sentOn(form.redirect_url) : answerWith(said, json);
    return {
      ...answer,
      headers: { ...answer.headers, ...readableBy(originOf(request), form?.origins ?? []) },
    };
  },
};

/** What a browser asks before a page's script posts JSON. It learns no more than what it may do. */
export const formAskedHook: Hook = {
  method: 'OPTIONS',
  path: '/hooks/form/:form',
  async handle(app, request) {
    const { name } = request;
    const form = SLUG.test(name) ? await openForm(app.database.reader, name) : null;
    return mayAsk(originOf(request), form?.origins ?? []);
  },
};

const originOf = ({ headers }: HookRequest): string | undefined =>
  typeof headers['origin'] === 'string' ? headers['origin'] : undefined;

async function take(
  app: App,
  request: HookRequest,
  type: string,
): Promise<{ said: FormPage; form: FormRow | null }> {
  const { name, address, body } = request;
  // Looked up before it is counted: a count is a row, and names that no one gave a form are without end.
  const form = SLUG.test(name) ? await openForm(app.database.reader, name) : null;
  if (!form) return { said: UNKNOWN, form };
  const often = await takeAtPlace(app.limits, 'form_posts', `${form.id} `, placeOf(address ?? 'nowhere'));
  if (often) return { said: TOO_OFTEN, form };
  const fields = await fieldsIn(type, await body(LIMIT_BYTES));
  if (fields === null) return { said: UNREADABLE, form };
  const read = readPost(fields);
  if (read.kind === 'no_address') return { said: NO_ADDRESS, form };
  // What fell for the bait is answered like everyone else, and learns nothing.
  if (read.kind === 'bait') return { said: THANKS, form };
  // Only what would land counts: empty posts from a few places would close the form to everyone else.
  if (await app.limits.take('posts_of_a_form', form.id)) return { said: TOO_OFTEN, form };
  await landPost(app, form, read.post);
  return { said: THANKS, form };
}

type Fields = [name: string, value: string][];

/** Urlencoded and multipart are read by the platform; files are no one's message. Null: it is neither, or broken. */
async function fieldsIn(type: string, bytes: Buffer): Promise<Fields | null> {
  try {
    if (/^application\/json\b/i.test(type)) return fieldsOf(JSON.parse(bytes.toString('utf8')));
    const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
    return [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
  } catch {
    return null;
  }
}

function fieldsOf(said: unknown): Fields | null {
  if (typeof said !== 'object' || said === null || Array.isArray(said)) return null;
  return Object.entries(said).flatMap(([name, value]): Fields =>
    ['string', 'number', 'boolean'].includes(typeof value) ? [[name, String(value)]] : [],
  );
}
