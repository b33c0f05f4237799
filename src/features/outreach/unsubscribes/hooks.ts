// GET and POST /u/:token. Looking changes nothing, since link scanners look; posting the one-click field stops every letter,
// with no cookie, no sign-in and no redirect (RFC 8058).
import { nobody } from '../../../kernel/caller.ts';
import type { Hook, HookAnswer } from '../../../kernel/hook.ts';
import type { App } from '../../../kernel/app.ts';
import { newId } from '../../../kernel/ids.ts';
import { confirmPage, donePage, FIELD, masked, unknownPage } from './page.ts';
import { type Linked, linkedLetter, unsubscribe } from './store.ts';
import { readUnsubscribeToken } from './token.ts';

/** A mail program posts one field. */
const BODY_BYTES = 16_384;

async function letterOf(app: App, token: string): Promise<Linked | null> {
  const send_id = readUnsubscribeToken(app.sealer, token);
  return send_id === null ? null : linkedLetter(app.database.reader, send_id);
}

async function look(app: App, token: string): Promise<HookAnswer> {
  const letter = await letterOf(app, token);
  return letter ? confirmPage(masked(letter.to_address)) : unknownPage();
}

async function stopLetters(app: App, letter: Linked): Promise<HookAnswer> {
  const { database, clock } = app;
  const now = clock.now();
  const stopped = await database.transact(async (tx) => {
    const done = await unsubscribe(tx, letter, now);
    await database.audit(tx, {
      at: now,
      caller: { ...nobody('rest'), principal: { ...nobody('rest').principal, name: 'the unsubscribe link' } },
      act: 'unsubscribe',
      resource: `outreach:send/${letter.id}`,
      outcome: 'done',
      code: null,
      sentence: null,
      request_id: newId(),
    });
    return done;
  });
  database.tell([
    { topic: 'suppressions', id: '' },
    { topic: 'people', id: stopped.person_id ?? '' },
    ...stopped.prospect_ids.map((id) => ({ topic: 'prospects', id })),
    { topic: 'campaigns', id: letter.campaign_id ?? '' },
    { topic: 'sends', id: '' },
  ]);
  return donePage(masked(letter.to_address));
}

/** In a part of its name, behind the empty line that ends the part's head. */
function inParts(body: string): boolean {
  const [name, value] = [FIELD.name.toLowerCase(), FIELD.value.toLowerCase()];
  let at: 'elsewhere' | 'head' | 'value' = 'elsewhere';
  for (const line of body.toLowerCase().split('\n')) {
    const said = line.trim();
    if (at === 'value' && said === value) return true;
    if (at === 'value' && said !== '') at = 'elsewhere';
    if (at === 'head' && said === '') at = 'value';
    if (line.includes(`name="${name}"`) || line.includes(`name=${name}`)) at = 'head';
  }
  return false;
}

/** The field in a form, urlencoded or multipart; both are plain text, and neither holds anything else of interest. */
export function asksToStop(type: string, body: string): boolean {
  if (/^multipart\/form-data/i.test(type)) return inParts(body);
  const fields = new URLSearchParams(body.trim());
  return [...fields].some(
    ([name, value]) =>
      name.toLowerCase() === FIELD.name.toLowerCase() && value.toLowerCase() === FIELD.value.toLowerCase(),
  );
}

export const unsubscribeHooks: Hook[] = [
  { method: 'GET', path: '/u/:token', handle: (app, { name }) => look(app, name) },
  {
    method: 'POST',
    path: '/u/:token',
    async handle(app, { name, headers, body }) {
      const letter = await letterOf(app, name);
      if (!letter) return unknownPage();
      const text = (await body(BODY_BYTES)).toString('utf8');
      // Anything else is a robot that presses what it finds: it is shown the button.
      if (!asksToStop(String(headers['content-type'] ?? ''), text))
        return confirmPage(masked(letter.to_address));
      return stopLetters(app, letter);
    },
  },
];
