// The protocol's conformance suite against our side of OAuth: every sign-in scenario that the revision of 2026-07-28 requires
// of a client, one after the other, each with a server and a sign-in of its own.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandOf, run } from '../endpoint/program.ts';

const MANIFEST = import.meta.resolve('@modelcontextprotocol/conformance/package.json');
const CLIENT = join(import.meta.dirname, '../endpoint/capability-client.ts');
const SCENARIO_MS = 90_000;

/** Those that count: what is listed as never scored is behind them. */
function scenarios(): string[] {
  const file = join(dirname(fileURLToPath(MANIFEST)), 'requirements/2026-07-28.yaml');
  const [required = ''] = readFileSync(file, 'utf8').split(/^not_scored:/m);
  return [...new Set(required.match(/(?<=^ +- )auth\/[a-z0-9-]+/gm) ?? [])];
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dunnock-oauth-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('there are twenty-five', () => {
  expect(scenarios()).toHaveLength(25);
});

test.each(scenarios())(
  '%s',
  async (scenario) => {
    const command = `"${process.execPath}" "${CLIENT}"`;
    const what = ['--command', command, '--scenario', scenario, '--spec-version', '2026-07-28'];
    const { status, stdout, stderr } = await run(
      commandOf(MANIFEST, 'conformance'),
      ['client', ...what, '--timeout', '60000', '--output-dir', folder],
      { cwd: folder },
    );
    expect(status, `${stdout}\n${stderr}`).toBe(0);
  },
  SCENARIO_MS,
);
