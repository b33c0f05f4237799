// The rules of workflows without an app: the run machine under any history, and the permissions of two.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decide, type Rights, type Statement } from '../../../kernel/policy.ts';
import { bothOf } from './run/both.rules.ts';
import {
  becomes,
  keyOf,
  type Hold,
  MOST_STEPS,
  type Outcome,
  type RunState,
  whyNotCancelled,
  whyNotRetried,
} from './run/machine.rules.ts';

const NAMES = ['a', 'b', 'c', 'd'] as const;

describe('the run machine', () => {
  type Doing = 'done' | 'waits' | 'held' | 'failed' | 'vanish_before' | 'vanish_after' | 'cancel' | 'retry';
  const doing = fc.constantFrom<Doing>(
    'done',
    'waits',
    'held',
    'failed',
    'vanish_before',
    'vanish_after',
    'cancel',
    'retry',
  );
  const lead = fc.option(fc.constantFrom(...NAMES), { nil: null });
  const leads = fc.record({ next: lead, on_error: lead });

  const outcomeOf = (what: Doing): Outcome =>
    what === 'waits'
      ? { came: 'waits', due_at: new Date(0), waits: {} }
      : what === 'held'
        ? { came: 'held', held: 'wire_required', sentence: 'no wire' }
        : what === 'failed'
          ? { came: 'failed', sentence: 'no' }
          : { came: 'done', output: null };

  const ACTIVE = { version: 1, active_version: 1 };

  test('whatever happens to a run, each step it comes to has its effect once, and what is over stays over', () => {
    fc.assert(
      fc.property(
        fc.array(leads, { minLength: 4, maxLength: 4 }),
        fc.array(doing, { maxLength: 60 }),
        (ways, history) => {
          let run = {
            state: 'queued' as RunState,
            at_step: 'a' as string | null,
            seq: 1,
            held: null as Hold | null,
          };
          // What the app keeps of keys: an effect under a key that is known is found, and not done again.
          const effects = new Map<string, number>();
          const keys = new Set<string>();
          for (const what of history) {
            const before = { ...run };
            if (what === 'cancel') {
              if (whyNotCancelled(run.state) === null) run = { ...run, state: 'cancelled', held: null };
            } else if (what === 'retry') {
              if (whyNotRetried({ ...run, ...ACTIVE }, false) === null)
                run = { ...run, state: 'queued', held: null };
            } else if (
              run.at_step !== null &&
              (run.state === 'queued' || (run.state === 'waiting' && run.held === null))
            ) {
              const key = keyOf('run', run.at_step, run.seq);
              const acts = what === 'done' || what === 'vanish_after';
              if (acts && !keys.has(key)) effects.set(key, (effects.get(key) ?? 0) + 1);
              if (acts) keys.add(key);
              if (what === 'vanish_before' || what === 'vanish_after') run = { ...run, state: 'stalled' };
              else {
                const way = ways[NAMES.indexOf(run.at_step as 'a')] ?? { next: null, on_error: null };
                const to = becomes(run, way, outcomeOf(what), false);
                run = { state: to.state, at_step: to.at_step, seq: to.seq, held: to.held };
                expect(to.due === null).toBe(
                  to.state !== 'queued' && !(to.state === 'waiting' && to.held === null),
                );
                expect(to.held !== null).toBe(what === 'held');
              }
            }
            expect(run.seq === before.seq || run.seq === before.seq + 1).toBe(true);
            if (before.state === 'succeeded' || before.state === 'cancelled') expect(run).toEqual(before);
            if (run.state === 'queued' || run.state === 'waiting' || run.state === 'stalled')
              expect(run.at_step).not.toBeNull();
            if (run.state === 'succeeded') expect(run.at_step).toBeNull();
          }
          expect([...effects.values()].every((count) => count === 1)).toBe(true);
        },
      ),
    );
  });

  test('a run that goes round and round is ended, and is not tried again', () => {
    const ended = becomes(
      { at_step: 'a', seq: MOST_STEPS },
      { next: 'a', on_error: null },
      { came: 'done', output: 1 },
      false,
    );
    expect(ended).toMatchObject({ state: 'failed', at_step: null });
    expect(whyNotRetried({ ...ended, ...ACTIVE }, false)).toMatch(/has ended/);
  });

  test('a run that is cancelled while a step is under way keeps what the step came to', () => {
    expect(
      becomes({ at_step: 'a', seq: 1 }, { next: 'b', on_error: null }, { came: 'done', output: 1 }, true),
    ).toMatchObject({
      state: 'cancelled',
      step: 'succeeded',
    });
  });
});

describe('the rights of two', () => {
  const part = fc.constantFrom('*', 'read', 'work', 'item', 'crm', 'person');
  const action = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.'));
  const resource = fc.constantFrom('*', 'work:*', 'work:item/*', 'work:item/1', 'crm:person/1', 'crm:*');
  const statement: fc.Arbitrary<Statement> = fc.record({
    effect: fc.constantFrom('allow', 'allow', 'allow', 'deny'),
    actions: fc.array(action, { minLength: 1, maxLength: 2 }),
    resources: fc.array(resource, { minLength: 1, maxLength: 2 }),
  });
  const rights: fc.Arbitrary<Rights> = fc.record({
    admin: fc.constantFrom(false, false, false, true),
    policies: fc.array(
      fc.record({ name: fc.constant('p'), statements: fc.array(statement, { maxLength: 3 }) }),
      { maxLength: 2 },
    ),
    projects: fc.option(fc.subarray(['OUT', 'IN']), { nil: null }),
  });

  test('are what each of them may do, and nothing else', () => {
    const asked = fc.array(fc.constantFrom('read', 'work', 'item', 'crm', 'person'), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(
        rights,
        rights,
        asked,
        fc.constantFrom('work:item/1', 'work:item/2', 'crm:person/1'),
        (a, b, parts, name) => {
          const action = parts.join('.');
          const both = decide(bothOf(a, b), action, [name]).allowed;
          expect(both).toBe(decide(a, action, [name]).allowed && decide(b, action, [name]).allowed);
        },
      ),
      { numRuns: 3000 },
    );
  });

  test('of a thing with several names they are never more', () => {
    fc.assert(
      fc.property(rights, rights, (a, b) => {
        const names = ['work:item/1', 'crm:person/1'];
        if (decide(bothOf(a, b), 'work.item.read', names).allowed)
          expect([a, b].every((each) => decide(each, 'work.item.read', names).allowed)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
