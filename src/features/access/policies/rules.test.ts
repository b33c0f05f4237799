// Checks that a policy cannot be saved with a typing error in it, and that the built-in ones have none.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Statement, actionMatches, decide } from '../../../kernel/policy.ts';
import { BUILT_IN, MEMBER, builtIn } from './built-in.ts';
import { MINT, faultOf, knownActions } from './rules.ts';

const known = knownActions([]);
const allow = (actions: string[], resources = ['*']): Statement[] => [
  { effect: 'allow', actions, resources },
];
const rights = (name: string) => ({ admin: false, policies: [builtIn(name) ?? MEMBER], projects: null });

test.each(BUILT_IN.map((policy) => [policy.name, policy] as const))(
  'the built-in policy %s has no fault',
  (_, policy) => {
    expect(faultOf(policy.statements, known)).toBeNull();
  },
);

test.each([
  'work.itm.read',
  'work.item.reed',
  'work',
  'work.item',
  'work.it*',
  '*.*.*.*',
  'work.item.read ',
  'Work.item.read',
  '',
  '.',
  'work..read',
  '__proto__.constructor',
])('the action %j is refused and named', (action) => {
  expect(faultOf(allow([action]), known)).toContain(`"${action}"`);
});

test.each([
  '*',
  'work.*',
  'work.*.read',
  '*.read',
  '*.*.read',
  'work.item.*',
  'approval.decide',
  'crm.person.export',
  'outreach.campaign.activate',
])('the action %j may stand in a policy', (action) => {
  expect(faultOf(allow([action]), known)).toBeNull();
});

test.each([
  'work:project/OUT',
  'work:project/*',
  'work:project/OUT*',
  'outreach:campaign/0198c0de-0000-7000-8000-000000000001',
  '*',
  'crm:*',
])('the resource %j may stand in a policy', (resource) => {
  expect(faultOf(allow(['*'], [resource]), known)).toBeNull();
});

test.each([
  'work',
  'work:',
  'wrok:project/OUT',
  'project/OUT',
  '*work',
  'work:project/OUT OUT',
  'work:*/OUT',
  '**',
  'https://work',
])('the resource %j is refused', (resource) => {
  expect(faultOf(allow(['*'], [resource]), known)).toContain('is not a resource');
});

test.each(['work:project/out', 'work:project/Out*', 'work:project/0198c0de-0000-7000-8000-000000000001'])(
  'a typing error must not silently deny or allow: %j is the name of no project',
  (resource) => {
    expect(faultOf(allow(['*'], [resource]), known)).toContain('is not a project');
  },
);

test('minting is in no policy but the administrator’s', () => {
  expect(faultOf(allow([MINT]), known)).toContain('only administrators can mint');
  expect(known).not.toContain(MINT);
});

test('an action that an operation needs is known although the catalogue lacks it', () => {
  expect(faultOf(allow(['work.item.juggle']), known)).not.toBeNull();
  expect(faultOf(allow(['work.item.juggle']), knownActions(['work.item.juggle']))).toBeNull();
});

test('a member may do what every person does and nothing of an administrator', () => {
  for (const action of [
    'account.read',
    'work.item.move',
    'work.comment.create',
    'approval.decide',
    'inbox.thread.read',
    'chat.turn',
    'admin.setting.read',
  ])
    expect(decide(rights('member'), action, ['*']).allowed, action).toBe(true);
  for (const action of [
    'work.project.create',
    'admin.setting.write',
    'admin.user.read',
    'outreach.campaign.read',
    'crm.person.read',
    'workflow.activate',
    'admin.audit.read',
  ])
    expect(decide(rights('member'), action, ['*']).allowed, action).toBe(false);
});

test('no built-in policy changes rights, tokens or settings', () => {
  for (const policy of BUILT_IN)
    for (const action of known.filter((each) => each.startsWith('admin.') && !each.endsWith('.read')))
      expect(decide(rights(policy.name), action, ['*']).allowed, `${policy.name}: ${action}`).toBe(false);
});

test('read-all reads everything and does nothing else', () => {
  for (const action of known)
    expect(decide(rights('read-all'), action, ['x']).allowed, action).toBe(action.endsWith('.read'));
});

test('a pattern allows only what it names, whatever the action', () => {
  fc.assert(
    fc.property(fc.constantFrom(...known), fc.constantFrom(...known), (pattern, action) => {
      expect(actionMatches(pattern, action)).toBe(pattern === action);
    }),
  );
});
