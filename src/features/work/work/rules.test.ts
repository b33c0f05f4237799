// Owns the tables of the board's rules, and their properties: what any order of moves and decisions can and cannot reach.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { STATUSES, type Status } from './contract.ts';
import {
  liveClaim,
  refusedAsHeld,
  refusedAsStale,
  refusedByReviewLimit,
  refusedToDelete,
  refusedToWaiveReview,
  ruleClaim,
  ruleMove,
} from './rules.ts';

const AGENT = { kind: 'agent', id: 'a', agent: true };
const OTHER_AGENT = { kind: 'agent', id: 'b', agent: true };
const PERSON = { kind: 'person', id: 'p', agent: false };

const NOW = new Date('2026-03-02T14:00:00.000Z');
const claimed = (holder: { kind: string; id: string }, expires_at = '2026-03-02T14:32:10.000Z') => ({
  key: 'OUT-12',
  status: 'in_progress' as Status,
  claim: {
    holder: { ...holder, name: 'scout' } as { kind: 'agent'; id: string; name: string },
    since: '2026-03-02T14:02:10.000Z',
    expires_at,
  },
});

describe('moves', () => {
  test.each(STATUSES)("an agent's move from %s to done always parks, marked for review or not", (status) => {
    for (const needs_review of [false, true])
      expect(ruleMove({ status, needs_review }, 'done', AGENT)).toEqual({
        kind: 'parks',
        opens: status !== 'in_review',
        announces: true,
      });
  });

  test.each([
    ['backlog', false, { kind: 'lands', withdraws: false }],
    ['in_progress', false, { kind: 'lands', withdraws: false }],
    ['cancelled', false, { kind: 'lands', withdraws: false }],
    ['in_progress', true, { kind: 'parks', opens: true, announces: true }],
    ['cancelled', true, { kind: 'parks', opens: true, announces: true }],
    ['in_review', false, { kind: 'parks', opens: false, announces: true }],
    ['in_review', true, { kind: 'parks', opens: false, announces: true }],
    ['done', true, { kind: 'stays' }],
    ['done', false, { kind: 'stays' }],
  ] as const)("a person's move from %s to done, review needed %s: %o", (status, needs_review, ruling) => {
    expect(ruleMove({ status, needs_review }, 'done', PERSON)).toEqual(ruling);
  });

  test.each([AGENT, PERSON])('anyone parks by a move to in_review, and no one is told: $kind', (by) => {
    for (const status of STATUSES)
      expect(ruleMove({ status, needs_review: false }, 'in_review', by)).toEqual(
        status === 'in_review' ? { kind: 'stays' } : { kind: 'parks', opens: true, announces: false },
      );
  });

  test.each([AGENT, PERSON])(
    'any other move lands, and out of review it withdraws the approval: $kind',
    (by) => {
      for (const status of STATUSES)
        for (const to of ['backlog', 'todo', 'in_progress', 'cancelled'] as const)
          expect(ruleMove({ status, needs_review: true }, to, by)).toEqual(
            status === to ? { kind: 'stays' } : { kind: 'lands', withdraws: status === 'in_review' },
          );
    },
  );
});

describe('claims', () => {
  test('another worker is refused, naming the holder and until when', () => {
    const ruling = ruleClaim(claimed(AGENT), OTHER_AGENT, NOW, false);
    expect(ruling.kind === 'refused' && ruling.refusal).toMatchObject({
      status: 409,
      message: 'OUT-12 is held by scout (token), until 14:32Z',
    });
    expect(refusedAsHeld(claimed(PERSON), AGENT, NOW)?.sentence).toBe(
      'OUT-12 is held by scout (person), until 14:32Z',
    );
  });

  test.each([
    ['free', { ...claimed(AGENT), claim: null }, OTHER_AGENT, false, 'takes'],
    ['their own', claimed(AGENT), AGENT, false, 'renews'],
    ['run out', claimed(AGENT, NOW.toISOString()), OTHER_AGENT, false, 'takes'],
    ["an agent's, to a person", claimed(AGENT), PERSON, false, 'refused'],
    ["an agent's, to a person who breaks it", claimed(AGENT), PERSON, true, 'breaks'],
    ["an agent's, to an agent who would break it", claimed(AGENT), OTHER_AGENT, true, 'refused'],
    ['finished', { ...claimed(AGENT), claim: null, status: 'done' as Status }, AGENT, false, 'refused'],
  ] as const)('a card that is %s', (_, item, by, breaks, kind) => {
    expect(ruleClaim(item, by, NOW, breaks).kind).toBe(kind);
  });

  test("writes of an agent that does not hold the card are refused, a person's and the holder's are not", () => {
    expect(refusedAsHeld(claimed(AGENT), OTHER_AGENT, NOW)).not.toBeNull();
    expect(refusedAsHeld(claimed(AGENT), AGENT, NOW)).toBeNull();
    expect(refusedAsHeld(claimed(AGENT), PERSON, NOW)).toBeNull();
    expect(refusedAsHeld(claimed(AGENT, NOW.toISOString()), OTHER_AGENT, NOW)).toBeNull();
    expect(liveClaim(claimed(AGENT, NOW.toISOString()), NOW)).toBeNull();
  });

  test('a worker is (kind, id): the person behind a token is another worker than the token', () => {
    expect(
      ruleClaim(claimed({ kind: 'person', id: 'x' }), { kind: 'agent', id: 'x', agent: true }, NOW, false)
        .kind,
    ).toBe('refused');
  });

  test("an agent's claim is refused while as many items wait as the project allows, and the sentence says how many", () => {
    const project = { key: 'OUT', review_limit: 5 };
    expect(refusedByReviewLimit(project, 4, AGENT)).toBeNull();
    expect(refusedByReviewLimit(project, 5, AGENT)?.sentence).toMatch(
      /^5 items of OUT are in review and its limit is 5/,
    );
    expect(refusedByReviewLimit({ key: 'OUT', review_limit: 1 }, 1, AGENT)?.sentence).toMatch(
      /^1 item of OUT is in review/,
    );
    expect(refusedByReviewLimit(project, 9, PERSON)).toBeNull();
  });
});

describe('guards', () => {
  test('a stale write is refused with the current revision, in the sentence of the domain', () => {
    const item = { key: 'OUT-12', revision: 7 };
    expect(refusedAsStale(item, 6)?.sentence).toBe(
      'item OUT-12 changed since you read it: the current revision is 7. Re-read it and retry against that.',
    );
    expect(refusedAsStale(item, 7)).toBeNull();
    expect(refusedAsStale(item, undefined)).toBeNull();
  });

  test('an agent asks for a review and never waives one', () => {
    expect(refusedToWaiveReview(true, false, AGENT)?.status).toBe(403);
    expect(refusedToWaiveReview(false, false, AGENT)).toBeNull();
    expect(refusedToWaiveReview(false, true, AGENT)).toBeNull();
    expect(refusedToWaiveReview(true, false, PERSON)).toBeNull();
  });

  test('an agent deletes no item that waits in review', () => {
    expect(refusedToDelete({ key: 'OUT-12', status: 'in_review' }, AGENT)?.sentence).toMatch(
      /^OUT-12 is in review/,
    );
    expect(refusedToDelete({ key: 'OUT-12', status: 'in_progress' }, AGENT)).toBeNull();
    expect(refusedToDelete({ key: 'OUT-12', status: 'in_review' }, PERSON)).toBeNull();
  });
});

describe('any order of moves', () => {
  const moves = fc.array(fc.record({ to: fc.constantFrom(...STATUSES), agent: fc.boolean() }), {
    maxLength: 30,
  });

  test('no moves of agents alone ever reach done, and what waits has exactly one approval', () => {
    fc.assert(
      fc.property(fc.boolean(), moves, (needs_review, all) => {
        let status: Status = 'backlog';
        let open = 0;
        let announced = false;
        for (const { to, agent } of all) {
          const was: Status = status;
          const ruling = ruleMove({ status, needs_review }, to, { agent });
          if (ruling.kind === 'parks') {
            if (ruling.opens) [open, announced] = [open + 1, false];
            announced ||= ruling.announces;
            status = 'in_review';
          } else if (ruling.kind === 'lands') {
            if (ruling.withdraws) open -= 1;
            status = to;
          }
          if (agent && to === 'done') expect([status, announced]).toEqual(['in_review', true]);
          if (agent && was !== 'done') expect(status).not.toBe('done');
          if (!agent && needs_review && was !== 'done') expect(status).not.toBe('done');
          expect(open).toBe(status === 'in_review' ? 1 : 0);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('a move that is asked for twice comes to the same as once', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...STATUSES),
        fc.boolean(),
        fc.constantFrom(...STATUSES),
        fc.boolean(),
        (from, needs_review, to, agent) => {
          const first = ruleMove({ status: from, needs_review }, to, { agent });
          const status = first.kind === 'parks' ? 'in_review' : first.kind === 'lands' ? to : from;
          const second = ruleMove({ status, needs_review }, to, { agent });
          if (second.kind === 'parks') expect(second.opens).toBe(false);
          else expect(second.kind).toBe('stays');
        },
      ),
    );
  });
});
