// Handlers of reusable letters: list, save with every fault at once, change, delete.
import { z } from 'zod';
import type { Reader } from '../../../kernel/ground.ts';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { refusalNaming } from '../../../kernel/parse.ts';
import { changedSince, nameTaken } from '../../../kernel/refusal.ts';
import { bind } from '../../../kernel/scene.ts';
import { faultsOfText } from './rules.ts';
import { readingOf } from './store.ts';
import { templateCreate, templateDelete, templateList, templateUpdate } from './templates.contract.ts';
import {
  deleteTemplate,
  insertTemplate,
  listTemplates,
  lockTemplate,
  saveTemplate,
  type TemplateTexts,
} from './templates.store.ts';

const list = bind(templateList, async ({ db }, { limit, cursor }) => {
  const after = keyIn(cursor, () => z.tuple([z.string()]));
  const page = pageOf(await listTemplates(db, after?.[0] ?? null, limit + 1), limit, (it) => it.key);
  return { ...page, items: page.items.map((it) => it.template) };
});

async function demandReadable(db: Reader, { subject, text, html }: TemplateTexts): Promise<void> {
  const reading = await readingOf(db);
  const faults = Object.entries({ subject, text, html }).flatMap(([side, words]) =>
    faultsOfText(words ?? '', reading, side === 'html').map((says): [string, string] => [
      side,
      `${side}: ${says}`,
    ]),
  );
  if (/\p{Cc}/u.test(subject ?? '')) faults.push(['subject', 'subject: a subject is one line']);
  if (faults.length > 0) throw refusalNaming(faults);
}

const named = (id: string): string => `outreach:template/${id}`;

const create = bind(templateCreate, async (scene, { name, text, subject = null, html = null }) => {
  const texts = { name, text, subject, html };
  await demandReadable(scene.db, texts);
  const template = await insertTemplate(scene.db, texts, scene.caller.principal, scene.now);
  if (!template) throw nameTaken('a template');
  scene.about(named(template.id));
  scene.tell('templates', template.id);
  return { template };
});

const update = bind(templateUpdate, async (scene, { template: id, revision, ...given }) => {
  const before = await lockTemplate(scene.db, id);
  if (before.revision !== revision) throw changedSince('this template', before.revision);
  const texts = {
    name: given.name ?? before.name,
    text: given.text ?? before.text,
    subject: given.subject === undefined ? before.subject : given.subject,
    html: given.html === undefined ? before.html : given.html,
  };
  await demandReadable(scene.db, texts);
  const template = await saveTemplate(scene.db, before, texts, scene.now);
  if (!template) throw nameTaken('a template');
  scene.tell('templates', template.id);
  return { template };
});

const remove = bind(templateDelete, async (scene, { template: id }) => {
  await deleteTemplate(scene.db, await lockTemplate(scene.db, id));
  scene.tell('templates', id);
  return { ok: true as const };
});

export const templateHandlers = [list, create, update, remove];
