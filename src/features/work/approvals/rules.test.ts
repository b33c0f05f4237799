// Owns the table of who may decide, and the property that no order of events lets an agent or an author decide.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AGENT_DOES_NOT_DECIDE } from '../../../kernel/sentences.ts';
import { APPROVAL } from './approval-states.rules.ts';
import { APPROVAL_STATES, DECISIONS } from './contract.ts';
import { DECIDE_ON_SCREEN, refusedDecision, refusedToDecide, type Waiting, YOU_WROTE_THIS } from './rules.ts';

const DANA = { id: 'dana', person: true, on_screen: true };
const OPEN = { decide_on_screen_only: false };
const SCREEN = { decide_on_screen_only: true };

const waiting = (over: Partial<Waiting> = {}): Waiting => ({
  state: 'pending',
  subject: { key: 'OUT-12', revision: 7 },
  author: { kind: 'person', id: 'ben', name: 'Ben' },
  decided_by: null,
  decided_at: null,
  ...over,
});

const over = (state: Waiting['state']): Waiting =>
  waiting({
    state,
    decided_by: { kind: 'person', id: 'eve', name: 'Eve Roe' },
    decided_at: '2026-03-02T14:32:05.000Z',
  });

describe('who decides', () => {
  test.each([
    ['a person on the screen', DANA, OPEN, waiting(), null],
    ['a person with a token of their own', { ...DANA, on_screen: false }, OPEN, waiting(), null],
    [
      'the same where decisions are made on the screen only',
      { ...DANA, on_screen: false },
      SCREEN,
      waiting(),
      DECIDE_ON_SCREEN,
    ],
    ['a person on the screen there', DANA, SCREEN, waiting(), null],
    ['an agent', { ...DANA, person: false }, OPEN, waiting(), AGENT_DOES_NOT_DECIDE],
    ['the author', { ...DANA, id: 'ben' }, OPEN, waiting(), YOU_WROTE_THIS],
    [
      'the person behind the agent that wrote it',
      DANA,
      OPEN,
      waiting({ author: { kind: 'agent', id: 'dana', name: 'scout' } }),
      null,
    ],
    [
      'anybody, after it was approved',
      DANA,
      OPEN,
      over('approved'),
      'this approval was already decided: approved by Eve Roe on 2026-03-02 at 14:32Z',
    ],
    [
      'anybody, after it was withdrawn',
      DANA,
      OPEN,
      over('withdrawn'),
      'this approval was withdrawn by Eve Roe on 2026-03-02 at 14:32Z: OUT-12 is no longer in review',
    ],
    [
      'anybody, after it was superseded',
      DANA,
      OPEN,
      over('superseded'),
      'this approval was superseded by Eve Roe on 2026-03-02 at 14:32Z: OUT-12 changed, and the new version has its own approval',
    ],
  ])('%s', (_, by, settings, approval, sentence) => {
    expect(refusedToDecide(approval, by, settings)?.sentence ?? null).toBe(sentence);
  });

  test('an agent hears that agents do not decide whatever else is wrong', () => {
    const any = fc.record({
      state: fc.constantFrom(...APPROVAL_STATES),
      own: fc.boolean(),
      screen: fc.boolean(),
      only: fc.boolean(),
    });
    fc.assert(
      fc.property(any, ({ state, own, screen, only }) => {
        const approval = waiting({ state, author: { kind: 'person', id: own ? 'dana' : 'ben', name: 'x' } });
        const agent = { id: 'dana', person: false, on_screen: screen };
        expect(refusedToDecide(approval, agent, { decide_on_screen_only: only })?.sentence).toBe(
          AGENT_DOES_NOT_DECIDE,
        );
        const author = refusedToDecide(
          approval,
          { ...DANA, on_screen: screen },
          { decide_on_screen_only: only },
        );
        if (own || state !== 'pending' || (only && !screen)) expect(author).not.toBeNull();
        else expect(author).toBeNull();
      }),
    );
  });
});

describe('what a decision carries', () => {
  test('the revision that was shown', () => {
    expect(refusedDecision(waiting(), { decision: 'approve', revision: 6 })).toMatchObject({
      status: 409,
      message:
        'item OUT-12 changed since you read it: the current revision is 7. Re-read it and retry against that.',
    });
    expect(refusedDecision(waiting(), { decision: 'approve', revision: 7 })).toBeNull();
  });

  test('a note where it is no', () => {
    for (const decision of ['return', 'reject'] as const) {
      expect(refusedDecision(waiting(), { decision, revision: 7 })).toMatchObject({
        status: 400,
        details: { fields: { note: expect.any(String) } },
      });
      expect(refusedDecision(waiting(), { decision, revision: 7, note: 'too long' })).toBeNull();
    }
  });

  test('each decision leads to one state', () => {
    const to = DECISIONS.map((decision) => [decision, APPROVAL.acts[decision].to]);
    expect(Object.fromEntries(to)).toEqual({ approve: 'approved', return: 'returned', reject: 'rejected' });
  });
});
