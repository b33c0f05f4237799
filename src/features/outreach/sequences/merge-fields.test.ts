// A merge field that does not exist is answered with the one that was meant and those that exist.
import { expect, test } from 'vitest';
import { knownFields } from '../../../mail/letters/fields.ts';
import { noField } from './merge-fields.rules.ts';

const FIELDS = new Set(knownFields({ person: ['plan', 'seats'], company: ['tier'] }));

test.each([
  ['person.nmae', 'person.name'],
  ['person.firstname', null],
  ['first_name', null],
  ['name', 'person.name'],
  ['person.domain', 'company.domain'],
  ['campany.size', 'company.size'],
  ['custom.pan', 'custom.plan'],
  ['unsubscribe_link', 'unsubscribe_url'],
  ['zzzzzzzzzz', null],
])('%s is meant as %s', (field, meant) => {
  const says = noField(field, FIELDS);
  expect(says).toContain(
    `there is no merge field "${field}"${meant === null ? '. Fields' : `, did you mean ${meant}?`}`,
  );
});

test('every field is named as far as a sentence goes, and the rest is counted', () => {
  const says = noField('zzzzzzzzzz', FIELDS);
  for (const each of [
    'person.name, given, family',
    'company.name, domain',
    'campaign.name, goal',
    'and 3 more',
  ])
    expect(says).toContain(each);
  expect(noField('custom.zzzzzzzzzz', FIELDS)).toContain('Fields: custom.plan, seats; person.name');
  const many = new Set([...FIELDS, ...Array.from({ length: 400 }, (_, n) => `custom.field_${n}`)]);
  expect(noField('x'.repeat(500), many).length).toBeLessThan(300);
  expect(noField('x'.repeat(500), many)).toMatch(/and \d+ more$/);
});
