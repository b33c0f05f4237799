// What each noun with fields is called, and what its fields are for.
import type { Noun } from '../contract.ts';

export const NOUN: Record<Noun, { many: string; says: string }> = {
  person: {
    many: 'People',
    says: 'They stand on every person, in imports and segments, and letters can use them.',
  },
  company: { many: 'Companies', says: 'They stand on every company.' },
  deal: { many: 'Deals', says: 'They stand on every deal.' },
  work_item: {
    many: 'Work items',
    says: 'They stand on the items of every project, beside the project’s own fields. Where both have a key, the project’s own holds.',
  },
};
