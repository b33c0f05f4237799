// Measures the reader of machine mail on a folder of real messages: `node scripts/bounces.ts <folder>`. The folder holds
// *.eml and expected.json: { "<file>": [{ "kind": "hard", "reason"?: "…" }, …] }, one row a recipient. Printed: a confusion
// table, the agreement of kinds and of recipients, and each difference, with the reason of its rule (bounces.reasons.json)
// where one is known; `law`: the specification's own sentence decides so, whatever was expected. Ends with 1 when another kind is read as hard or a complaint is missed, and no reason is known.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readReports } from '../src/mail/reports/read.ts';
import type { Report } from '../src/mail/reports/report.ts';

type Expected = { kind: string; reason?: string };
type Pair = { file: string; expected: Expected | null; got: Report | null };
type Rule = { rule: string; law: boolean; when: Record<string, string>; reason: string };

const KINDS = ['hard', 'soft', 'policy', 'complaint', 'delivered', 'automatic', 'nothing'];
const rules = JSON.parse(readFileSync(join(import.meta.dirname, 'bounces.reasons.json'), 'utf8')) as Rule[];

/** Equal kinds are paired first, then the rest in order; what is left over stands alone. */
function pairUp(file: string, expected: readonly Expected[], got: readonly Report[]): Pair[] {
  const rest = [...got];
  const take = (at: number): Report | null => (at < 0 ? null : (rest.splice(at, 1)[0] ?? null));
  const pairs: Pair[] = expected.map((each) => ({
    file,
    expected: each,
    got: take(rest.findIndex(({ kind }) => kind === each.kind)),
  }));
  for (const pair of pairs) pair.got ??= take(rest.length > 0 ? 0 : -1);
  return [...pairs, ...rest.map((each) => ({ file, expected: null, got: each }))];
}

const kindsOf = ({ expected, got }: Pair): [string, string] => [
  expected?.kind ?? 'nothing',
  got?.kind ?? 'nothing',
];
const agrees = (pair: Pair): boolean => kindsOf(pair)[0] === kindsOf(pair)[1];

/** A complaint may be about an address that its provider took out. */
const hasRecipient = ({ expected, got }: Pair): boolean =>
  expected !== null && got !== null && (got.recipient !== null || got.kind === 'complaint');

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

const folder = process.argv[2];
if (folder === undefined) {
  console.log('Say which folder: node scripts/bounces.ts <folder>');
  process.exit(2);
}
const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Record<
  string,
  Expected[]
>;
const pairs: Pair[] = [];
for (const [file, rows] of Object.entries(expected).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
  const { reports } = await readReports(readFileSync(join(folder, file)));
  pairs.push(...pairUp(file, rows, reports));
}

printTable(pairs);
const different = pairs.filter((pair) => !agrees(pair));
const without = pairs.filter((pair) => !hasRecipient(pair));
const explained = different.filter((pair) => ruleOf(pair) !== undefined);
const decided = different.filter((pair) => ruleOf(pair)?.law === true);
const wrongHard = different.filter(({ got }) => got?.kind === 'hard');
const missed = different.filter((pair) => pair.expected?.kind === 'complaint');
console.log(`\nKinds that agree:       ${percent(pairs.length - different.length, pairs.length)}`);
console.log(
  `  counting the law's own: ${percent(pairs.length - different.length + decided.length, pairs.length)}`,
);
console.log(`Recipients that agree:  ${percent(pairs.length - without.length, pairs.length)}`);
console.log(
  `Others read as hard:    ${wrongHard.length}, of them with a reason ${wrongHard.filter((pair) => ruleOf(pair)).length}`,
);
console.log(`Complaints missed:      ${missed.length}`);
console.log(`Differences:            ${different.length}, of them with a reason ${explained.length}\n`);
for (const pair of different) printDifference(pair);
for (const { file, got } of without)
  console.log(`${file}: ${got ? 'no recipient was read' : 'no report was read'}`);
process.exitCode = [...wrongHard, ...missed].some((pair) => ruleOf(pair) === undefined) ? 1 : 0;
