// Measures the readers of mail that comes in: `node scripts/readings.ts <folder>`, or `--corpus` for the letters that the tests
// are made of. The folder holds messages and expected.json: { "<file>": { "kind": "person", "reading": "unread",
// "in_reply_to"?: "…", "references"?: 2, "quoted_ids"?: […], "stripped"?: "…", "returns_on"?: "2026-03-02", … }, … }. Printed:
// confusion tables of kinds and readings, how often each other fact agrees, and every difference. Ends with 1 where a wish to
// be left alone is missed, or anything is read as positive.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CORPUS } from '../test/mail/inbound/corpus/all.ts';
import type { Case, Expected } from '../test/mail/inbound/corpus/case.ts';
import { measure } from '../test/mail/inbound/measure.ts';
import type { Measured } from '../test/mail/inbound/measure.ts';

const READINGS = ['unsubscribe', 'out_of_office', 'unread', 'positive'];
const KINDS = ['person', 'automatic', 'calendar', 'forwarded', 'bounce', 'receipt', 'complaint'];
const FACTS = [
  'in_reply_to',
  'references',
  'quoted_ids',
  'stripped',
  'stripped_whole',
  'returns_on',
  'reports',
] as const;

function* casesOf(folder: string): Generator<Case> {
  const text = readFileSync(join(folder, 'expected.json'), 'utf8');
  for (const [name, expected] of Object.entries(JSON.parse(text) as Record<string, Expected>))
    yield { name, raw: readFileSync(join(folder, name)), expected };
}

function printTable(title: string, names: readonly string[], pairs: readonly [string, string][]): void {
  const row = (cells: readonly (string | number)[]): void =>
    console.log(
      cells.map((cell, at) => String(cell)[at === 0 ? 'padEnd' : 'padStart'](at === 0 ? 24 : 15)).join(''),
    );
  row([title, ...names]);
  for (const name of names) {
    const of = pairs.filter(([expected]) => expected === name);
    if (of.length > 0) row([name, ...names.map((got) => of.filter((pair) => pair[1] === got).length)]);
  }
  console.log('');
}

function printFacts(all: readonly Measured[]): void {
  for (const fact of FACTS) {
    const stated = all.filter(({ expected }) => expected[fact] !== undefined);
    const differ = stated.filter(({ differences }) =>
      differences.some((each) => each.startsWith(`${fact}: `)),
    );
    console.log(`${fact.padEnd(24)}${stated.length - differ.length} of ${stated.length} agree`);
  }
  console.log('');
}

const source = process.argv[2];
if (source === undefined) {
  console.log('Say which folder: node scripts/readings.ts <folder>, or --corpus');
  process.exit(2);
}
const all: Measured[] = [];
for (const each of source === '--corpus' ? CORPUS : casesOf(source)) all.push(await measure(each));

printTable(
  'kind, then read as',
  KINDS,
  all.map(({ expected, kind }) => [expected.kind, kind]),
);
printTable(
  'reading, then read as',
  READINGS,
  all.map(({ expected, reading }) => [expected.reading, reading]),
);
printFacts(all);
for (const { name, differences } of all) for (const each of differences) console.log(`${name}: ${each}`);
const missed = all.filter(
  ({ expected, reading }) => expected.reading === 'unsubscribe' && reading !== 'unsubscribe',
);
const hoped = all.filter(({ reading }) => reading === 'positive');
console.log(
  `Letters: ${all.length}. Wishes to be left alone that were missed: ${missed.length}. Read as positive: ${hoped.length}.`,
);
process.exitCode = missed.length + hoped.length > 0 ? 1 : 0;
