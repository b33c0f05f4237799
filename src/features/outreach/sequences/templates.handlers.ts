// Handlers of reusable letters: list, save with every fault at once, change, delete.
import { z } from 'zod';
import type { Reader } from '../../../kernel/database.ts';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { refusalNaming } from '../../../kernel/parse.ts';
import { changedSince, nameTaken } from '../../../kernel/refusal.ts';
import { bind } from '../../../kernel/context.ts';
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

const create = bind(templateCreate, async (context, { name, text, subject = null, html = null }) => {
  const texts = { name, text, subject, html };
  await demandReadable(context.db, texts);
  const template = await insertTemplate(context.db, texts, context.caller.principal, context.now);
  if (!template) throw nameTaken('a template');
  context.about(named(template.id));
  context.tell('templates', template.id);
  return { template };
});

const update = bind(templateUpdate, async (context, { template: id, revision, ...given }) => {
  const before = await lockTemplate(context.db, id);
  if (before.revision !== revision) throw changedSince('this template', before.revision);
  const texts = {
    name: given.name ?? before.name,
    text: given.text ?? before.text,
    subject: given.subject === undefined ? before.subject : given.subject,
    html: given.html === undefined ? before.html : given.html,
  };
  await demandReadable(context.db, texts);
  const template = await saveTemplate(context.db, before, texts, context.now);
  if (!template) throw nameTaken('a template');
  context.tell('templates', template.id);
  return { template };
});

const remove = bind(templateDelete, async (context, { template: id }) => {
  await deleteTemplate(context.db, await lockTemplate(context.db, id));
  context.tell('templates', id);
  return { ok: true as const };
});

export const templateHandlers = [list, create, update, remove];
