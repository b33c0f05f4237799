// Checks that an explanation says what a request would meet, in a sentence.
import { expect, test } from 'vitest';
import { AGENT_DOES_NOT_DECIDE } from '../../../kernel/sentences.ts';
import { operation, OK, type AnyOperation } from '../../../kernel/operation.ts';
import { z } from 'zod';
import { type Subject, explain } from './explain.ts';
import { rightsOf } from './rights.ts';

const declared = (name: string, action: string, over: Partial<AnyOperation> = {}): AnyOperation =>
  ({
    ...operation({
      name,
      says: '',
      method: 'POST',
      path: `/api/${name}`,
      takes: z.strictObject({}),
      gives: z.object({}),
      example: {},
      effect: 'write',
      needs: { action, on: 'row' },
      who: 'anyone',
      step_up: 'no',
      wire: 'never',
      answers: OK,
    }),
    ...over,
  }) as AnyOperation;

const operations = [
  declared('mint', 'admin.token.mint', { who: { session_only: 'a token cannot mint tokens' } }),
  declared('decide', 'approval.decide', { who: { people_only: AGENT_DOES_NOT_DECIDE } }),
  declared('invite', 'admin.user.invite', { wire: { act: 'user.invite' } }),
  declared('move', 'work.item.move'),
];

const user = { admin: false, board_projects: null as string[] | null };
const carried = [
  {
    name: 'closer',
    statements: [{ effect: 'deny' as const, actions: ['work.item.move'], resources: ['work:project/HR'] }],
  },
];
const ben: Subject = {
  name: 'Ben',
  rights: rightsOf(user, carried),
  kind: 'session',
  wire: true,
  scripts: true,
  dead: null,
};
const token = (over: Partial<Subject> = {}): Subject => ({
  ...ben,
  name: 'scout',
  kind: 'token',
  wire: false,
  ...over,
});

test('names the policy and the statement that decided', () => {
  expect(explain(ben, 'work.item.move', 'work:project/OUT', operations)).toMatchObject({
    allowed: true,
    by: 'allow',
    policy: 'member',
  });
  const denied = explain(ben, 'work.item.move', 'work:project/HR', operations);
  expect(denied).toMatchObject({
    allowed: false,
    by: 'deny',
    policy: 'closer',
    statement: carried[0]?.statements[0],
  });
  expect(denied.sentence).toBe(
    '"Ben" can’t do work.item.move on work:project/HR: the policy "closer" denies it',
  );
  expect(explain(ben, 'admin.user.invite', '*', operations)).toMatchObject({
    allowed: false,
    by: 'default',
    policy: null,
    statement: null,
  });
});

test('a board narrows what policies allow, save an administrator’s', () => {
  const narrow: Subject = { ...ben, rights: rightsOf({ admin: false, board_projects: ['OUT'] }, []) };
  expect(explain(narrow, 'work.item.move', 'work:project/OUT', operations).allowed).toBe(true);
  expect(explain(narrow, 'work.item.move', 'work:project/OPS', operations).sentence).toContain(
    'that project isn’t on the board',
  );
  const admin: Subject = { ...ben, rights: rightsOf({ admin: true, board_projects: ['OUT'] }, []) };
  expect(explain(admin, 'work.item.move', 'work:project/OPS', operations)).toMatchObject({
    allowed: true,
    by: 'admin',
  });
});

test('says what beside policy would still refuse', () => {
  const admin = rightsOf({ admin: true, board_projects: null }, []);
  expect(explain(token({ rights: admin }), 'admin.token.mint', '*', operations).sentence).toContain(
    'every token is refused there',
  );
  expect(explain(token({ rights: admin }), 'admin.user.invite', '*', operations).sentence).toContain(
    'it needs the wire scope',
  );
  expect(
    explain(token({ rights: admin, wire: true }), 'admin.user.invite', '*', operations).sentence,
  ).not.toContain('wire');
  expect(explain(ben, 'approval.decide', '*', operations).sentence).toContain('only a person');
});

test('an expired token and a disabled user are allowed nothing', () => {
  const dead = explain(
    token({ dead: 'the token has expired, so every request of it is refused' }),
    'work.item.move',
    '*',
    operations,
  );
  expect(dead).toMatchObject({ allowed: false, by: 'allow' });
  expect(dead.sentence).toContain('has expired');
});

test('a service token has no member policy, and no right at all without one', () => {
  expect(rightsOf(null, [])).toEqual({ admin: false, policies: [], projects: null });
  expect(
    rightsOf(null, [
      { name: 'read-all', statements: null },
      { name: 'gone', statements: null },
    ]).policies.map((p) => p.name),
  ).toEqual(['read-all']);
});
