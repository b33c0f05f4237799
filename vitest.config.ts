// Owns how the tests are run: files side by side in two processes, one database server for all of them.
import { defineConfig } from 'vitest/config';

const long = process.env['TEST_LONG'] === '1';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: long ? [] : ['test/long/**'],
    globalSetup: ['test/support/server.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // Stories in a browser wait on screens; everything else is done in moments.
    testTimeout: 90_000,
    hookTimeout: 60_000,
    slowTestThreshold: 5_000,
    silent: 'passed-only',
    passWithNoTests: true,
    restoreMocks: true,
  },
});
