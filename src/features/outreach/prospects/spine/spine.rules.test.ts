// Owns the spine as a rule: ranks, what stays, and that the answer always says what happened (domain.md §1.4).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { STAGES } from '../../../crm/people/stages.rules.ts';
import { type Cause, endsSequence, RANK, ruleSpine, type Stage } from './spine.rules.ts';

const at = new Date('2026-03-02T10:00:00.000Z');
const move = (present: Stage, asked: Stage, cause: Cause = 'person', name = 'Dana Roe') =>
  ruleSpine({ name, present, present_at: at, asked, cause });

test('ranks are those of the specification of the spine', () => {
  expect(RANK).toEqual({
    enrolled: 0,
    contacted: 10,
    bounced: 15,
    replied: 20,
    declined: 30,
    positive: 40,
    meeting: 50,
    won: 60,
    unsubscribed: 90,
  });
});

test('a person who has unsubscribed does not move to positive, and the answer states what happened', () => {
  expect(move('unsubscribed', 'positive')).toEqual({
    moved: false,
    stage: 'unsubscribed',
    asked: 'positive',
    sentence: 'Dana Roe stays at unsubscribed: they opted out on 2026-03-02 and that stage is not left.',
  });
});

describe('a move lands only if its rank is higher than the present one', () => {
  test.each<[Stage, Stage, boolean]>([
    ['enrolled', 'contacted', true],
    ['replied', 'bounced', false],
    ['positive', 'declined', false],
    ['bounced', 'replied', true],
    ['declined', 'positive', true],
    ['won', 'unsubscribed', true],
    ['replied', 'replied', false],
    ['contacted', 'enrolled', false],
  ])('from %s to %s: %s', (present, asked, moved) => {
    expect(move(present, asked)).toMatchObject({ moved, stage: moved ? asked : present, asked });
  });

  test('whatever is asked, it lands exactly where the rank is higher and the cause may set it', () => {
    const stage = fc.constantFrom(...STAGES);
    const cause = fc.constantFrom<Cause>(
      'person',
      'agent',
      'reply',
      'delivery',
      'deal',
      'workflow',
      'opt_out',
    );
    fc.assert(
      fc.property(
        stage,
        stage,
        cause,
        fc.string({ unit: 'binary', maxLength: 300 }),
        (present, asked, by, name) => {
          const outside = ['meeting', 'won'].includes(asked) && !['person', 'deal', 'workflow'].includes(by);
          const ruled = move(present, asked, by, name);
          expect(ruled.moved).toBe(RANK[asked] > RANK[present] && !outside);
          expect(ruled.stage).toBe(ruled.moved ? asked : present);
          expect(ruled.sentence.length).toBeLessThan(300);
          expect(ruled.sentence).toMatch(/ (stays at|moved from) [a-z]+/);
        },
      ),
    );
  });

  test('along any way of moves the rank never falls, and nothing follows unsubscribed', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...STAGES), { maxLength: 30 }), (asked) => {
        let present: Stage = 'enrolled';
        for (const stage of asked) {
          const next: Stage = move(present, stage).stage;
          expect(RANK[next]).toBeGreaterThanOrEqual(RANK[present]);
          if (present === 'unsubscribed') expect(next).toBe('unsubscribed');
          present = next;
        }
        expect(RANK[present]).toBe(Math.max(0, ...asked.map((stage) => RANK[stage])));
      }),
    );
  });
});

test('meeting and won are set by a person, a deal or a workflow', () => {
  for (const stage of ['meeting', 'won'] as const) {
    for (const cause of ['person', 'deal', 'workflow'] as const)
      expect(move('positive', stage, cause).moved).toBe(true);
    for (const cause of ['agent', 'reply', 'delivery', 'opt_out'] as const)
      expect(move('positive', stage, cause)).toMatchObject({
        moved: false,
        sentence: `Dana Roe stays at positive: ${stage} is set by a person, a deal or a workflow.`,
      });
  }
});

test('a move past replied ends the sequence, and a reply does where the campaign stops on replies', () => {
  expect(STAGES.filter((stage) => endsSequence(stage, false))).toEqual([
    'declined',
    'positive',
    'meeting',
    'won',
    'unsubscribed',
  ]);
  expect(endsSequence('replied', true)).toBe(true);
});

test('someone of whom no name is known is this person', () => {
  expect(move('enrolled', 'replied', 'reply', ' ').sentence).toBe(
    'This person moved from enrolled to replied.',
  );
});
