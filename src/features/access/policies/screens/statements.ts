// Statements as they are edited: as fields, and as the JSON of the policy document. Reading JSON names what is wrong with it;
// what it may say is the product's to judge.
import type { PolicyRow } from '../contract.ts';

export type Statement = PolicyRow['statements'][number];

/** Proposals for typing; any other action that the product knows can be written. */
export const ACTIONS = [
  '*',
  'work.*',
  'work.*.read',
  'work.project.read',
  'work.project.create',
  'work.project.write',
  'work.item.*',
  'work.item.read',
  'work.item.create',
  'work.item.write',
  'work.item.move',
  'work.item.claim',
  'work.item.delete',
  'work.comment.*',
  'approval.read',
  'approval.decide',
  'outreach.*.read',
  'outreach.campaign.*',
  'outreach.send.*',
  'crm.*.read',
  'crm.person.*',
  'crm.person.export',
  'inbox.thread.*',
  'admin.*.read',
  'admin.user.invite',
  'admin.audit.read',
];

export const document = (name: string, statements: Statement[]): string =>
  JSON.stringify({ name, version: 1, statements }, null, 2);

/** The statements of a document, or the sentence that says why it is none. */
export function read(text: string): Statement[] | string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    return `Invalid JSON: ${error instanceof Error ? error.message : 'it can’t be parsed'}.`;
  }
  const statements = (parsed as { statements?: unknown } | null)?.statements;
  if (!Array.isArray(statements)) return 'A policy needs a "statements" list.';
  for (const [i, one] of statements.entries()) {
    const { effect, actions, resources, ...rest } = one as Record<string, unknown>;
    const at = `Statement ${i + 1}`;
    if (effect !== 'allow' && effect !== 'propose' && effect !== 'deny')
      return `${at}: "effect" must be "allow", "propose" or "deny".`;
    if (!texts(actions)) return `${at}: "actions" must be a list of strings.`;
    if (!texts(resources)) return `${at}: "resources" must be a list of strings.`;
    const unknown = Object.keys(rest)[0];
    if (unknown) return `${at}: "${unknown}" isn’t a known key.`;
  }
  return statements as Statement[];
}

const texts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
