// Owns how the tests are run: files side by side in two processes, the longest first, one database server for all of them.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/order.ts';

const long = process.env['TEST_LONG'] === '1';
// Dozens of processes read the same sources; each is compiled once.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'dunnock-test-compiled');

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: long ? [] : ['test/long/**', 'test/real/**'],
    globalSetup: ['test/support/server.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // A process goes from file to file and reads the product once. Every file opens houses and databases of its own.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // A limit is for what hangs; how long something may take on a busy machine is not what these tests are about.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    slowTestThreshold: 5_000,
    silent: 'passed-only',
    passWithNoTests: true,
    restoreMocks: true,
    // The driver asks for types when a connection begins, and no one can wait for that; the product logs it (src/main.ts).
    onUnhandledError: (error) => !String(Reflect.get(error, 'query')).includes('from pg_catalog.pg_type'),
  },
});
