// What the editor does to the ways between steps.
import { expect, test } from 'vitest';
import {
  askedOfTrigger,
  type DraftStep,
  faultsIn,
  freeId,
  inserted,
  isSame,
  movedUp,
  standings,
  without,
} from './draft.rules.ts';

const step = (id: string, next: string | null = null, more: Partial<DraftStep> = {}): DraftStep => ({
  id,
  kind: 'notify',
  name: id,
  input: {},
  next,
  on_error: null,
  ...more,
});
const ways = (steps: DraftStep[]) => steps.map(({ id, next }) => [id, next]);

test('a step that is put in is between the one before and the one after', () => {
  const steps = [step('a', 'b'), step('b')];
  expect(ways(inserted(steps, step('x'), { id: 'a', way: 'next' }))).toEqual([
    ['a', 'x'],
    ['x', 'b'],
    ['b', null],
  ]);
  expect(ways(inserted(steps, step('x'), null))).toEqual([
    ['x', 'a'],
    ['a', 'b'],
    ['b', null],
  ]);
});

test('a step on another way is led to by that way, and goes on where that way went', () => {
  const steps = [step('a', 'b', { input: { otherwise: 'c' } }), step('b'), step('c')];
  const [a, , , x] = inserted(steps, step('x'), { id: 'a', way: 'otherwise' });
  expect(a?.input['otherwise']).toBe('x');
  expect(x).toMatchObject({ id: 'x', next: 'c' });
});

test('what led to a step that is gone leads to what came after it', () => {
  const steps = [step('a', 'b', { on_error: 'b' }), step('b', 'c'), step('c')];
  expect(without(steps, 'b')).toMatchObject([
    { id: 'a', next: 'c', on_error: 'c' },
    { id: 'c', next: null },
  ]);
});

test('a step that is moved up changes places with the one above, ways and all', () => {
  const steps = [step('a', 'b'), step('b', 'c'), step('c', null)];
  expect(ways(movedUp(steps, 2))).toEqual([
    ['a', 'c'],
    ['c', 'b'],
    ['b', null],
  ]);
  expect(ways(movedUp(steps, 0))).toEqual(ways(steps));
});

test('steps that only another way leads to stand beside the main way', () => {
  const steps = [
    step('a', 'b', { input: { otherwise: 'x' } }),
    step('b', null, { on_error: 'y' }),
    step('x', 'b'),
    step('y'),
  ];
  const found = standings(steps);
  expect([...found].map(([id, { level }]) => [id, level])).toEqual([
    ['a', 0],
    ['b', 0],
    ['x', 1],
    ['y', 1],
  ]);
  expect(found.get('y')?.from).toEqual({ id: 'b', way: 'on_error' });
});

test('a fault stays with its step and field, without the names that are beside it', () => {
  const { steps, others } = faultsIn(
    {
      'steps.1.input.project': 'b: project: write a text',
      'steps.0': 'nothing leads to a',
      'trigger.cron': 'cron is five fields',
      steps: 'a → b → a goes round without a wait',
    },
    [step('a'), step('b')],
  );
  expect(steps.get('b')?.get('input.project')).toBe('write a text');
  expect(steps.get('a')?.get('')).toBe('nothing leads to a');
  expect([...others.keys()]).toEqual(['trigger.cron', 'steps']);
});

test('ids, inputs and sameness', () => {
  expect(freeId('create_work_item', [step('work_item')])).toBe('work_item_2');
  expect(
    askedOfTrigger([step('a', null, { input: { to: ['{{ trigger.person_id }}', '{{trigger.x.y}}'] } })]),
  ).toEqual(['person_id', 'x']);
  expect(isSame({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 })).toBe(true);
  expect(isSame({ a: 1 }, { a: 2 })).toBe(false);
});
