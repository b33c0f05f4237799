// What a start does not look at, because it would take longer than everything else there: the example of every operation is one
// that it takes.
import { expect, test } from 'vitest';
import { features } from '../../src/features.ts';

const operations = features.flatMap((feature) => feature.operations.map((bound) => bound.operation));

test.each(operations)('the example of $name is one that it takes', ({ takes, example }) => {
  expect(takes.safeParse(example).error?.issues ?? []).toEqual([]);
});
