// Holds the segment editor's table to what the product accepts: every field, every op, and a value of the kind each op takes.
import { expect, test } from 'vitest';
import { KINDS, type CustomField } from '../../fields/contract.ts';
import { checkedFilter, FILTER_FIELDS, opsOf } from '../../people/filter.rules.ts';
import { fieldsAsked, OP, type ValueKind } from './fields.ts';

const CUSTOM: CustomField[] = KINDS.map((kind) => ({ key: kind, title: kind, kind, options: ['a', 'b'] }));
const USER = '0198c0de-0000-7000-8000-000000000001';
const ASKED = fieldsAsked(CUSTOM, [{ value: USER, label: 'Ada' }]);

const OF_TEXT: Record<string, string> = { country: 'DE', language: 'de', email_domain: 'acme.example' };

function valueOf(field: string, kind: ValueKind): unknown {
  if (kind === 'none') return undefined;
  if (kind === 'truth') return true;
  if (kind === 'number') return 3;
  if (kind === 'date') return '2026-03-02';
  if (kind === 'company') return [USER];
  if (kind === 'choices') return (ASKED[field]?.choices ?? []).slice(0, 1).map((choice) => choice.value);
  const text = field === 'custom.url' ? 'https://acme.example' : (OF_TEXT[field] ?? 'acme');
  return kind === 'texts' ? [text] : text;
}

test('the editor offers the fields that the product has', () => {
  expect(Object.keys(ASKED).sort()).toEqual(
    [...FILTER_FIELDS, ...CUSTOM.map(({ key }) => `custom.${key}`)].sort(),
  );
});

test.each(Object.keys(ASKED))(
  '%s: its ops are the product’s, each has words, and what is typed is taken',
  (field) => {
    const ops = ASKED[field]?.ops ?? {};
    expect(Object.keys(ops).sort()).toEqual([...(opsOf(field, CUSTOM) ?? [])].sort());
    for (const [op, kind] of Object.entries(ops)) {
      expect(OP[op], op).toBeDefined();
      const value = valueOf(field, kind);
      const condition = { field, op, ...(value === undefined ? {} : { value }) };
      expect(checkedFilter({ all: [condition] }, CUSTOM), `${field} ${op}`).toHaveProperty('match');
    }
  },
);
