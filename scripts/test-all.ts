// Owns the whole proof: every check, then every test; with --long also the nightly sizes and the same tests on
// PostgreSQL 15. Nothing is skipped because something before it failed. The last line of all is
// "N passed, N failed", true to what ran: one for each check, one for each test. Before it are the slowest thirty files.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { missingTools } from './machine-tools.ts';
import { slowest, type Timed } from './slowest.ts';
import { environment, ROOT, runSteps, staticSteps } from './steps.ts';

type Count = { passed: number; failed: number };

type Report = {
  numPassedTests: number;
  testResults: (Timed & { status: string; assertionResults: { status: string }[] })[];
};

/** A file that could not be loaded has no tests to count, and a fault outside every test has none: one each. */
function count(reportPath: string, status: number): Count {
  try {
    const report = JSON.parse(readFileSync(reportPath, 'utf8')) as Report;
    let failed = 0;
    for (const file of report.testResults) {
      const inFile = file.assertionResults.filter((test) => test.status === 'failed').length;
      failed += inFile === 0 && file.status === 'failed' ? 1 : inFile;
    }
    console.log(['', 'The slowest thirty files:', ...slowest(report.testResults, ROOT)].join('\n'));
    return { passed: report.numPassedTests, failed: status !== 0 && failed === 0 ? 1 : failed };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

async function vitest(title: string, variables: Record<string, string>): Promise<Count> {
  console.log(`\n${title}`);
  const folder = mkdtempSync(join(tmpdir(), 'dunnock-report-'));
  const report = join(folder, 'report.json');
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const child = spawn(join('node_modules', '.bin', 'vitest'), args, {
    cwd: ROOT,
    env: environment(process.stdout.isTTY ? variables : { NO_COLOR: '1', ...variables }),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const status = await new Promise<number>((resolve) => {
    child.on('error', () => resolve(1));
    child.on('close', (code) => resolve(code ?? 1));
  });
  const counted = count(report, status);
  rmSync(folder, { recursive: true, force: true });
  return counted;
}

const long = process.argv.includes('--long');
const counts: Count[] = [await runSteps([...missingTools(long), ...staticSteps()])];
counts.push(await vitest(long ? 'Tests, with the nightly sizes' : 'Tests', long ? { TEST_LONG: '1' } : {}));
if (long) counts.push(await vitest('Tests on PostgreSQL 15', { TEST_POSTGRES: '15' }));

const passed = counts.reduce((sum, one) => sum + one.passed, 0);
const failed = counts.reduce((sum, one) => sum + one.failed, 0);
process.exitCode = failed > 0 ? 1 : 0;
console.log(`${passed} passed, ${failed} failed`);
