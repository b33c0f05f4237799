// No word that the product has replaced is said anywhere: in the interface, to agents, in documents, comments or names. What is left
// is listed with its reason, and the list only shrinks.
import { expect, test } from 'vitest';
import { LEFT } from './language.left.ts';
import { oldWords, type Said, said, WORDS } from './language.ts';

test('what the product says uses the words of today; what is left has a reason, and is still there', () => {
  const found = oldWords(said());
  const key = ({ file, text }: Said): string => `${file}: ${text.trim()}`;
  const unlisted = found.filter((each) => !Object.hasOwn(LEFT, key(each)));
  expect(unlisted.map((each) => `${key(each)} — “${each.found}”: say ${each.say}`)).toEqual([]);
  const keys = new Set(found.map(key));
  expect(Object.keys(LEFT).filter((each) => !keys.has(each))).toEqual([]);
  expect(Object.keys(LEFT).length).toBeLessThanOrEqual(40);
});

test('each of the words is found where it is said', () => {
  const bad = [
    'save its way out first',
    'the lane is shut',
    'another road',
    'the house is full',
    'a file of the shelf',
    'through every door',
    'made anew',
    'mend the cause',
    'the set-up key is dead',
    'take it back first',
    'a name stands already',
    'read its figures',
    'it was put away by them or puts away',
    'what became of it',
    'asks for attention',
    'somebody did',
    'it goes by itself',
    'there is no such deal',
    'that is no list',
    'the news are told',
  ];
  const at = (text: string): Said => ({ kind: 'interface', file: 'x', text });
  for (const text of bad) expect(oldWords([at(text)]), text).not.toEqual([]);
  expect(oldWords([at('no deal has that id: GET /api/admin/crm/deals lists deals')])).toEqual([]);
  for (const { pattern, kinds } of WORDS)
    if (kinds.includes('interface'))
      expect(
        bad.some((text) => pattern.test(text)) || /whoever|alone|gone|tells/.test(pattern.source),
        pattern.source,
      ).toBe(true);
});
