// Checks that live updates reaches only those who may read what it is about.
import { expect, test } from 'vitest';
import { nobody, type Caller } from '../../../kernel/caller.ts';
import { rightsOf } from '../../access/policies/rights.ts';
import { heardAs } from './rules.ts';

const hears = (...given: Parameters<typeof heardAs>): boolean => heardAs(...given) !== null;

const who = (admin: boolean, id: string | null = 'me'): Caller => ({
  ...nobody('screen'),
  user_id: id,
  rights: id ? rightsOf({ admin, board_projects: null }, []) : rightsOf(null, []),
});

test('a person hears of their own notifications alone', () => {
  expect(hears(who(true), { topic: 'notifications', id: 'me' }, null)).toBe(true);
  expect(hears(who(true), { topic: 'notifications', id: 'you' }, null)).toBe(false);
  expect(hears(who(false), { topic: 'me', id: 'you' }, null)).toBe(false);
});

test('change notifications of rights are for those who may read them', () => {
  for (const topic of ['users', 'groups', 'policies', 'tokens', 'audit']) {
    expect(hears(who(true), { topic, id: 'x' }, null), topic).toBe(true);
    expect(hears(who(false), { topic, id: 'x' }, null), topic).toBe(false);
  }
  expect(hears(who(false), { topic: 'settings', id: 'security' }, null)).toBe(true);
});

test('change notifications of a project are for those who have it on the board', () => {
  expect(hears(who(false), { topic: 'work', id: 'p1' }, null)).toBe(true);
  expect(hears(who(false), { topic: 'work', id: 'p1' }, new Set(['p1']))).toBe(true);
  expect(hears(who(false), { topic: 'work', id: 'p2' }, new Set(['p1']))).toBe(false);
  expect(hears(who(false, null), { topic: 'work', id: 'p1' }, null)).toBe(false);
});

test('that everything may have changed is told to everyone', () => {
  expect(hears(who(false), { topic: 'everything', id: '' }, new Set())).toBe(true);
});
