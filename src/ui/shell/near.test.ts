// What ⌘K takes for a slip, and what it does not.
import { expect, test } from 'vitest';
import { isNear } from './near.ts';

test.each([
  ['campiagns', 'Campaigns'],
  ['camapign', 'New campaign'],
  ['setings', 'Settings'],
  ['suppresions', 'Suppressions'],
  ['work flow', 'Work, Workflows'],
  ['aproval', 'Approvals'],
])('%s finds %s', (typed, of) => expect(isNear(typed, of)).toBe(true));

test.each([
  ['xyz', 'Campaigns'],
  ['dal', 'Deals'],
  ['today deals', 'Today'],
  ['persons', 'Reasons'],
  ['', 'Today'],
])('%s does not find %s', (typed, of) => expect(isNear(typed, of)).toBe(false));
