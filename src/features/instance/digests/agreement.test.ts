// Checks on random desks that a metric is one number whoever is asked, and that whatever a digest proposes can be done. Few
// desks here, and hundreds in test/long.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { agrees } from '../../../../test/support/agreement.ts';
import { openTestApp } from '../../../../test/support/app.ts';
import { deskActs, randomDesk } from '../../../../test/support/random-desk.ts';
import { digestsOf, walk } from '../../../../test/support/walk.ts';
import { metricsPage } from '../../../../scripts/metrics-defined.ts';
import { METRICS } from '../../../kernel/metrics.rules.ts';
import { counts } from '../../outreach/campaigns/contract.ts';
import { figure } from '../../outreach/campaigns/metrics.contract.ts';

const desk = (seed: number) => fc.sample(deskActs(40), { numRuns: 1, seed })[0] ?? [];

test.each([1, 2])(
  'a metric is the same number by digest, statistics, screen and SQL (desk %i)',
  async (seed) => {
    const app = await openTestApp();
    try {
      await agrees(app, await randomDesk(app, desk(seed)));
    } finally {
      await app.close();
    }
  },
);

test.each([3, 4])(
  'whatever a digest proposes can be done, and is not proposed once it is (desk %i)',
  async (seed) => {
    const app = await openTestApp();
    try {
      const made = await randomDesk(app, desk(seed));
      expect(await walk(app, made, digestsOf(made))).toBeGreaterThan(10);
    } finally {
      await app.close();
    }
  },
);

test('every count of statistics and campaigns is defined once', () => {
  const known = new Set(Object.keys({ ...METRICS.people, ...METRICS.letters }));
  for (const name of [...Object.keys(figure.shape), ...Object.keys(counts.shape)])
    expect([name, known.has(name)]).toEqual([name, true]);
});

test('the page of metrics is made of their definitions: npm run generate writes it', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/guide/metrics-defined.md'), 'utf8');
  expect(page).toBe(metricsPage());
});
