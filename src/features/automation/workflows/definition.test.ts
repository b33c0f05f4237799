// Definitions of workflows without an app: references, times in them, and everything that is wrong with a definition at once.
import { describe, expect, test } from 'vitest';
import { HEARD, type Trigger, type WorkflowStep } from './contract.ts';
import { faultsOfSteps } from './definition.rules.ts';
import { KINDS } from './screens/editor/kinds.ts';
import { leadsSomewhere, outputOf } from './step/outputs.rules.ts';
import { renderer } from './step/template.rules.ts';
import { valuesOf } from './triggers/values.rules.ts';

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
