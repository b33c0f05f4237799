// The rules of workflows without an app: the run machine under any history, the rights of two, references, and all that is
// wrong with a definition at once.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decide, type Rights, type Statement } from '../../../kernel/policy.ts';
import { bothOf } from './run/both.rules.ts';
import { HEARD, type Trigger, type WorkflowStep } from './contract.ts';
import { faultsOfSteps } from './definition.rules.ts';
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
import { KINDS } from './screens/editor/kinds.ts';
import { leadsSomewhere, outputOf } from './step/outputs.rules.ts';
import { renderer } from './step/template.rules.ts';
import { valuesOf } from './triggers/values.rules.ts';

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

describe('references', () => {
  const known = {
    trigger: { person_id: 'p1', n: 3, list: [1] },
    steps: { a: { item: { key: 'OUT-1' } } },
    run: { id: 'r', workflow_id: 'w' },
  };

  test('alone they are the value itself, within a text its words, and what is not there is nothing', () => {
    expect(
      renderer(known)({
        a: '{{ trigger.n }}',
        b: 'n={{trigger.n}}',
        c: ['{{ steps.a.item }}'],
        d: '{{ trigger.no }}',
        e: '{{ steps.a.item.key }}!',
      }),
    ).toEqual({
      a: 3,
      b: 'n=3',
      c: [{ key: 'OUT-1' }],
      d: null,
      e: 'OUT-1!',
    });
  });

  test('are paths alone: no inherited key, no code, and what they give is not read again', () => {
    expect(
      renderer(known)('{{ trigger.constructor.name }}|{{ trigger.__proto__ }}|{{ process.env }}|{{ 1 + 1 }}'),
    ).toBe('||{{ process.env }}|{{ 1 + 1 }}');
    expect(renderer({ ...known, trigger: { said: '{{ run.id }}' } })('x {{ trigger.said }}')).toBe(
      'x {{ run.id }}',
    );
  });
});

describe('times in references', () => {
  const render = renderer({
    trigger: { at: '2026-11-20T22:30:00.000Z', day: '2026-12-31', name: 'Dana' },
    steps: {},
    run: { id: 'r', workflow_id: 'w' },
  });

  test('are moved by days, hours and minutes, and a day stays a day', () => {
    expect(
      render([
        '{{ trigger.at | plus_days: 1 }}',
        '{{trigger.at|plus_hours:2|date}}',
        '{{ trigger.day | plus_days: 1 }}',
        'due {{ trigger.day | plus_days: -31 }}!',
        '{{ trigger.day | plus_minutes: 90 }}',
      ]),
    ).toEqual([
      '2026-11-21T22:30:00.000Z',
      '2026-11-21',
      '2027-01-01',
      'due 2026-11-30!',
      '2026-12-31T01:30:00.000Z',
    ]);
  });

  test('are refused where the value is no time, and are no reference with another filter', () => {
    expect(() => render('{{ trigger.name | plus_days: 1 }}')).toThrow(
      /needs a time or a day: Dana is neither/,
    );
    expect(() => render('{{ trigger.none | date }}')).toThrow(/an empty value is neither/);
    expect(render('{{ trigger.at | upcase }}')).toBe('{{ trigger.at | upcase }}');
  });
});

describe('a definition', () => {
  const step = (
    id: string,
    kind: string,
    input: Record<string, unknown>,
    more: Partial<WorkflowStep> = {},
  ): WorkflowStep => ({
    id,
    kind,
    name: id,
    input,
    next: null,
    on_error: null,
    ...more,
  });
  const card = { project: 'OUT', title: 'x' };
  const faultsOf = (steps: WorkflowStep[], trigger: Trigger = { kind: 'manual' }) =>
    faultsOfSteps(steps, trigger);

  test('is told all its faults at once', () => {
    const faults = faultsOf([
      step('a', 'teleport', {}, { next: 'b' }),
      step(
        'b',
        'create_work_item',
        { title: 'x {{ steps.z.id }} {{ steps.d.id }} {{ 1+1 }}', colour: 'red' },
        { next: 'nowhere', on_error: 'c' },
      ),
      step('c', 'condition', { value: '{{ trigger.x }}', is: 'sideways', otherwise: 'b' }),
      step('d', 'http', { url: 'https://{{ trigger.host }}/x', headers: { Host: 'x' } }),
      step('a', 'wait', { minutes: 0 }),
    ]);
    const says = faults.map(([name, sentence]) => `${name}: ${sentence}`).join('\n');
    for (const each of [
      '"teleport" isn’t a kind of step',
      'leads to nowhere',
      'there is no argument "colour"',
      'project',
      'refers to z, and no step has that id',
      'which has not happened',
      'isn’t a reference',
      'steps.2.input.is',
      'a full host name',
      'nothing leads to d',
      'is the id of two steps',
      'steps.4.input.minutes',
      'goes round without a wait',
    ])
      expect(says).toContain(each);
  });

  test('is refused a reference that its trigger, an earlier step or a run does not have, with what they have', () => {
    const [first, second, third, ...more] = faultsOf(
      [
        step(
          'card',
          'create_work_item',
          { ...card, title: '{{ trigger.persn_id }} {{ trigger.moved_by.id }}' },
          { next: 'ask' },
        ),
        step('ask', 'ask_person', { question: '{{ steps.card.item.colour }} {{ steps.card.item.key }}' }),
        step('ring', 'notify', { sentence: '{{ run.at }}' }),
      ],
      { kind: 'event', event: 'reply.landed' },
    )
      .filter(([, says]) => says.includes('is unknown'))
      .map(([, says]) => says);
    expect(first).toBe(
      '{{ trigger.persn_id }} is unknown: this trigger has touch_id, person_id, person_name, campaign_id, channel, reading, thread_id, at',
    );
    expect(second).toMatch(/^\{\{ trigger\.moved_by\.id \}\} is unknown/);
    expect(third).toMatch(/^\{\{ steps\.card\.item\.colour \}\} is unknown: card has item\.id, /);
    expect(third?.length).toBeLessThan(300);
    expect(more).toEqual(['{{ run.at }} is unknown: a run has id, workflow_id']);
  });

  test('finds what the editor offers of each kind of step and of each trigger', () => {
    for (const [kind, { gives }] of Object.entries(KINDS))
      for (const path of gives)
        expect(
          leadsSomewhere(outputOf(kind as keyof typeof KINDS), path.split('.')),
          `${kind}: ${path}`,
        ).toBe(true);
    for (const event of HEARD) {
      const trigger: Trigger = { kind: 'event', event };
      const asks = valuesOf(trigger)
        ?.map((value) => `{{ trigger.${value} }}`)
        .join(' ');
      expect(faultsOf([step('a', 'notify', { sentence: asks })], trigger), event).toEqual([]);
    }
  });

  test('may go round through a wait, may refer to what happened before, and its inputs may be references', () => {
    expect(
      faultsOf([
        step(
          'a',
          'create_work_item',
          { project: '{{ trigger.project }}', title: 'x', status: '{{ trigger.status }}' },
          { next: 'b' },
        ),
        step('b', 'wait', { minutes: '{{ trigger.minutes }}' }, { next: 'c' }),
        step(
          'c',
          'condition',
          { value: '{{ steps.a.item.key }}', is: 'present', otherwise: 'a' },
          { next: 'd' },
        ),
        step('d', 'enrol', { campaign: '{{ trigger.campaign_id }}', people: ['{{ trigger.person_id }}'] }),
      ]),
    ).toEqual([]);
  });

  test('a script is code: what looks like a reference in it is none', () => {
    expect(faultsOf([step('a', 'lua', { script: 'return {{1, 2}, {3}}' })])).toEqual([]);
    expect(faultsOf([step('a', 'create_work_item', card)])).toEqual([]);
  });
});
