// Measures the reader of machine mail on a folder of real messages:
//   node scripts/bounces.ts <folder> [--recipients <file>] [--left-out]
// The folder holds *.eml and expected.json: { "<file>": [{ "kind": "hard", "reason"?: "…", "recipient"?: "…" }, …] }, one row a
// recipient; the file, where the folder states none, { "<file>": ["<address>" or null, …] } in the order of the rows. Recipients
// are compared to the letter, and a row without one is not. Printed: a confusion table, how much agrees, and each
// difference, with the reason of its rule (bounces.reasons.json) where one is known; `law`: the specification's own
// sentence decides so, whatever was expected. With --left-out every mail system, which is what is before the number in a
// file's name, is read by a reader without what could have been learned from it alone (left-out.ts).
// Ends with 1 when another kind is read as hard or a complaint is missed, and no reason is known.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Report } from '../src/mail/reports/report.ts';
import { during, goneWithout, lookFor } from './left-out.ts';

type Expected = { kind: string; reason?: string; recipient?: string | null };
type Pair = { file: string; expected: Expected | null; got: Report | null };
type Rule = { rule: string; law: boolean; when: Record<string, string>; reason: string };
type Read = (bytes: Uint8Array) => Promise<{ reports: Report[] }>;

const KINDS = ['hard', 'soft', 'policy', 'complaint', 'delivered', 'automatic', 'nothing'];
const rules = JSON.parse(readFileSync(join(import.meta.dirname, 'bounces.reasons.json'), 'utf8')) as Rule[];

/** Those of the same recipient are paired first, then equal kinds, then the rest in order; what is left over is alone. */
function pairUp(file: string, expected: readonly Expected[], got: readonly Report[]): Pair[] {
  const rest = [...got];
  const pairs: Pair[] = expected.map((each) => ({ file, expected: each, got: null }));
  const takeWhere = (isMeant: (each: Expected, report: Report) => boolean): void => {
    for (const pair of pairs.filter(({ got }) => got === null)) {
      const at = rest.findIndex((report) => isMeant(pair.expected as Expected, report));
      if (at >= 0) pair.got = rest.splice(at, 1)[0] ?? null;
    }
  };
  takeWhere(({ recipient }, report) => typeof recipient === 'string' && report.recipient === recipient);
  takeWhere(({ kind }, report) => report.kind === kind);
  takeWhere(() => true);
  return [...pairs, ...rest.map((each) => ({ file, expected: null, got: each }))];
}

const kindsOf = ({ expected, got }: Pair): [string, string] => [
  expected?.kind ?? 'nothing',
  got?.kind ?? 'nothing',
];
const agrees = (pair: Pair): boolean => kindsOf(pair)[0] === kindsOf(pair)[1];

/** Whether the folder says whom the row is about; `null`: that no one can be named. A report beyond the rows is about no one. */
const isStated = ({ expected }: Pair): boolean => expected === null || expected.recipient !== undefined;
const hasRecipient = ({ expected, got }: Pair): boolean =>
  expected !== null && got !== null && got.recipient === expected.recipient;

function ruleOf(pair: Pair): Rule | undefined {
  const [expected, got] = kindsOf(pair);
  const facts: Record<string, string> = {
    expected,
    got,
    reason: pair.expected?.reason ?? '',
    status: pair.got?.status ?? '',
    smtp: pair.got?.smtp_code ?? '',
    cause: pair.got?.diagnostic_class ?? '',
    action: pair.got?.action ?? '',
  };
  return rules.find(({ when }) =>
    Object.entries(when).every(([name, form]) => new RegExp(`^(?:${form})$`).test(facts[name] ?? '')),
  );
}

const percent = (part: number, whole: number): string =>
  `${part} of ${whole}, ${whole === 0 ? '100.0' : ((100 * part) / whole).toFixed(1)} %`;

function printTable(pairs: readonly Pair[]): void {
  const row = (cells: (string | number)[]): void =>
    console.log(
      cells.map((cell, at) => (at === 0 ? String(cell).padEnd(22) : String(cell).padStart(10))).join(''),
    );
  row(['expected, then read as', ...KINDS]);
  for (const kind of KINDS) {
    const of = pairs.filter((pair) => kindsOf(pair)[0] === kind);
    if (of.length > 0)
      row([kind, ...KINDS.map((got) => of.filter((pair) => kindsOf(pair)[1] === got).length)]);
  }
}

function printDifference(pair: Pair): void {
  const [expected, got] = kindsOf(pair);
  const { status, smtp_code, action, diagnostic_class, recipient } = pair.got ?? {};
  const facts = [action, status, smtp_code, diagnostic_class, recipient].map((each) => each ?? '-').join(' ');
  console.log(
    `${pair.file}: expected ${expected}${pair.expected?.reason ? ` (${pair.expected.reason})` : ''}, got ${got} [${facts}]`,
  );
  const known = ruleOf(pair);
  console.log(`    ${known ? `${known.rule}: ${known.reason}` : 'no reason is known'}`);
}

/** Prints how much agrees, and answers what no rule excuses. */
function printMetrics(pairs: readonly Pair[]): Pair[] {
  const different = pairs.filter((pair) => !agrees(pair));
  const explained = different.filter((pair) => ruleOf(pair) !== undefined);
  const decided = different.filter((pair) => ruleOf(pair)?.law === true);
  const stated = pairs.filter(isStated);
  const wrongHard = different.filter(({ got }) => got?.kind === 'hard');
  const missed = different.filter((pair) => pair.expected?.kind === 'complaint');
  const alike = pairs.length - different.length;
  console.log(`\nKinds that agree:       ${percent(alike, pairs.length)}`);
  console.log(`  counting the law's own: ${percent(alike + decided.length, pairs.length)}`);
  console.log(`Recipients that agree:  ${percent(stated.filter(hasRecipient).length, stated.length)}`);
  console.log(
    `Others read as hard:    ${wrongHard.length}, of them with a reason ${wrongHard.filter((pair) => ruleOf(pair)).length}`,
  );
  console.log(`Complaints missed:      ${missed.length}`);
  console.log(`Differences:            ${different.length}, of them with a reason ${explained.length}\n`);
  return [...wrongHard, ...missed].filter((pair) => ruleOf(pair) === undefined);
}

const systemOf = (file: string): string => file.replace(/-\d+\.eml$/, '');

/** The message as it came, and what it says once it is decoded. */
async function textOf(file: string): Promise<string> {
  const { header, subject, text, deliveryStatuses, returned } = await openMessage(bytesOf(file));
  const fields = [...header].flatMap(([name, values]) => values.map((value) => `${name}: ${value}`));
  return [...fields, subject, text, ...deliveryStatuses, ...returned].join('\n');
}

/** Each system by a reader that never saw it; returns all rows. */
async function leftOut(read: (files: readonly string[]) => Promise<Pair[]>, files: readonly string[]) {
  const systems = Object.entries(Object.groupBy(files, systemOf));
  for (const [system, its = []] of systems) await during({ reads: system }, () => read(its));
  for (const file of files) lookFor(await textOf(file), systemOf(file));
  const pairs: Pair[] = [];
  console.log('Left out, and read without what matched it alone:');
  for (const [system, its = []] of systems) {
    const rows = await during({ leavesOut: system }, () => read(its));
    pairs.push(...rows);
    const alike = percent(rows.filter(agrees).length, rows.length);
    console.log(`  ${system.padEnd(22)} ${alike.padEnd(22)} ${goneWithout(system)} gone`);
  }
  return pairs;
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { 'left-out': { type: 'boolean' }, recipients: { type: 'string' } },
});
const folder = positionals[0];
if (folder === undefined) {
  console.log('Say which folder: node scripts/bounces.ts <folder> [--recipients <file>] [--left-out]');
  process.exit(2);
}
const jsonIn = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
const expected = jsonIn(join(folder, 'expected.json')) as Record<string, Expected[]>;
const recipients = (values.recipients === undefined ? {} : jsonIn(values.recipients)) as Record<
  string,
  (string | null)[]
>;
const files = Object.keys(expected).toSorted();
const bytesOf = (file: string): Buffer => readFileSync(join(folder, file));
// Loaded behind the hooks that watch it.
const { openMessage } = await import('../src/mail/reports/parts.ts');
const { readReports } = (await import('../src/mail/reports/read.ts')) as { readReports: Read };
const readAll = async (some: readonly string[]): Promise<Pair[]> => {
  const pairs: Pair[] = [];
  for (const file of some) {
    const { reports } = await readReports(bytesOf(file));
    const rows = (expected[file] ?? []).map((row, nth) => ({ recipient: recipients[file]?.[nth], ...row }));
    pairs.push(...pairUp(file, rows, reports));
  }
  return pairs;
};

const pairs = values['left-out'] ? await leftOut(readAll, files) : await readAll(files);
printTable(pairs);
const unexcused = printMetrics(pairs);
for (const pair of pairs.filter((each) => !agrees(each))) printDifference(pair);
for (const pair of pairs.filter((each) => isStated(each) && !hasRecipient(each)))
  console.log(
    `${pair.file}: expected ${pair.expected?.recipient ?? 'nobody'}, read ${pair.got?.recipient ?? (pair.got ? 'nobody' : 'no report')}`,
  );
process.exitCode = unexcused.length > 0 ? 1 : 0;
