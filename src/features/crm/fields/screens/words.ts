// What each noun with fields is called, and what its fields are for.
import type { Noun } from '../contract.ts';

export const NOUN: Record<Noun, { many: string; says: string }> = {
  person: {
    many: 'People',
    says: 'Shown on every person, in imports and in segments. Letters can use them.',
  },
  company: { many: 'Companies', says: 'Shown on every company.' },
  deal: { many: 'Deals', says: 'Shown on every deal.' },
  work_item: {
    many: 'Work items',
    says: 'Shown on the items of every project, next to the project’s own fields. If both have the same key, the project’s field is used.',
  },
};
