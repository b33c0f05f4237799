// What a branch tests, pure: a prospect’s stage, a tag, or a merge field’s exact value (domain.md §1.1).
import type { BranchCondition } from '../../sequences/contract.ts';
import { RANK, type Stage } from '../spine/spine.rules.ts';

/** What letters may say of someone, by noun and field (src/mail/letters). */
type Values = Readonly<Record<string, unknown>>;

export type BranchFacts = { stage: Stage; tags: readonly string[]; values: Values };

export function holds(condition: BranchCondition, { stage, tags, values }: BranchFacts): boolean {
  switch (condition.kind) {
    case 'stage_at_least':
      return RANK[stage] >= RANK[condition.stage];
    case 'tag':
      return tags.includes(condition.tag);
    case 'field_equals':
      return valueOf(values, condition.field) === condition.value;
  }
}

/** A value that no one has is the empty word. */
function valueOf(values: Values, field: string): string {
  const [noun = '', ...rest] = field.split('.');
  const key = rest.join('.');
  if (!Object.hasOwn(values, noun)) return '';
  const record = values[noun];
  if (typeof record !== 'object' || record === null || !Object.hasOwn(record, key)) return '';
  const value = (record as Record<string, unknown>)[key];
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';
}
