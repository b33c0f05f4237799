// Every sentence that the product refuses with, read from the sources: each call that makes a refusal is followed to what it
// may say, and each of those is one short sentence that says more than that something is wrong.
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FILLED, refusedWith } from '../../scripts/sentences.ts';
import { HOLDS, WAITS } from '../../src/features/outreach/sends/letter/reasons.rules.ts';
import { features } from '../../src/features.ts';
import { Refusal } from '../../src/kernel/refusal.ts';
import * as SENTENCES from '../../src/kernel/sentences.ts';

const refused = refusedWith();
const all = [...new Set(refused.flatMap(({ sentences }) => sentences))];
const fixed = new Set<unknown>(Object.values(SENTENCES).filter((each) => typeof each === 'string'));

/** What these say is on an operation, in another refusal, or in the sentences of the fields they join; see those. */
const HANDED_ON = [
  'src/entry/mcp/request-tools.ts operation.answers.instead',
  'src/entry/mcp/tools.ts says',
  'src/features/automation/capabilities/rules.ts says',
  'src/features/automation/chat/act/acts.rules.ts operation.answers.instead',
  "src/features/automation/chat/act/acts.rules.ts 'session_only' in who ? who.session_only : who.never_a_token",
  "src/features/crm/deals/rules.ts all.join('; ').slice(0, 290)",
  "src/features/crm/fields/rules.ts all.join('; ').slice(0, 290)",
  'src/features/outreach/identities/handlers.ts says[0] as string',
  'src/features/crm/imports/file/reading.ts sentence',
  "src/features/access/providers/handlers.ts Object.values(faults).join('; ').slice(0, 299)",
  'src/features/outreach/sends/moves.handlers.ts denied.refusal.sentence',
  'src/features/work/proposals/handlers.ts refused.message',
  'src/kernel/gates.ts who.never_a_token',
  'src/kernel/gates.ts who.not_on_an_agent_turn',
  'src/kernel/gates.ts who.people_only',
  'src/kernel/gates.ts who.scripts_scope',
  'src/kernel/gates.ts who.session_only',
];

/** As long as what is filled in gets: where it is cut, so far; a number; or a name. */
const NUMBER =
  /\b(count|length|revision|limit|most|max|waiting|parked|bytes|seconds|hours|days)\b|Math|[A-Z_]{4,}/;
const largest = (sentence: string): string =>
  sentence.replaceAll(FILLED, (_, inner: string) =>
    'x'.repeat(Number(/slice\(0, (\d+)\)/.exec(inner)?.[1] ?? (NUMBER.test(inner) ? 9 : 60))),
  );

test('every refusal in the sources is followed to what it says', () => {
  expect(refused.length).toBeGreaterThan(350);
  const silent = refused.filter(({ sentences }) => sentences.length === 0);
  const found = new Set(silent.map(({ file, source }) => `${file} ${source}`));
  expect([...found].toSorted()).toEqual(HANDED_ON.toSorted());
});

test('the page of refusals has every one of them', async () => {
  const page = await readFile(new URL('../../docs/guide/refusals.md', import.meta.url), 'utf8');
  const words = (text: string): string[] => text.replaceAll(FILLED, '\0').split('\0');
  for (const sentence of all) for (const part of words(sentence)) expect(page, sentence).toContain(part);
});

const texts = (): [where: string, sentence: string][] => [
  ...all.map((sentence): [string, string] => ['refusal', sentence]),
  ...features
    .flatMap(({ operations }) => operations.map(({ operation }) => operation))
    .flatMap(({ name, who, answers }): [string, string][] => [
      ...(who === 'anyone'
        ? []
        : Object.entries(who)
            .filter(([kind]) => kind !== 'code' && kind !== 'provisioning_key')
            .map(([, sentence]): [string, string] => [name, sentence])),
      ...('instead' in answers ? [[name, answers.instead] as [string, string]] : []),
    ]),
  ...Object.entries({ ...HOLDS, ...WAITS }).flatMap(([reason, { says, fix }]): [string, string][] => [
    [reason, says],
    [reason, fix],
  ]),
];

test('each is one sentence under 300 characters, with its largest values', () => {
  for (const [where, sentence] of texts()) {
    expect(largest(sentence).length, `${where}: ${sentence}`).toBeLessThan(300);
    expect(sentence, where).not.toMatch(/[\n\r\t]|  |^\s|\s$/);
    expect(sentence, `${where}: ${sentence}`).not.toMatch(/[.;:,!?]{2,}$|\.\.(?!\.)|!$/);
    // What the specification says in two stays in two: that something changed, and what to do; that nothing was done.
    const after = sentence.split(/(?<=[^.])\. (?=[A-Z])/).slice(1);
    for (const second of after)
      expect(second, sentence).toMatch(
        /^(Re-read (it|them) and retry against that\.|Read (it|them) again|Nothing was|No one was|Call |GET \/api\/|If it )/,
      );
  }
});

/** What says no more than that something is wrong. */
const BARE =
  /^(invalid|bad|wrong|illegal|incorrect|malformed|unknown|error|failed|forbidden|denied|not (found|allowed|permitted))( \w+){0,2}$/i;

test('none says only that something is wrong: each names the harm, the reason or the next step', () => {
  for (const sentence of all.filter((each) => !fixed.has(each))) {
    expect(sentence).not.toMatch(BARE);
    expect(sentence).not.toMatch(/\b(oops|sorry|please|check your inputs?|something went wrong)\b/i);
    // What begins with a field's name, or with what is filled in, is looked at where that is made.
    if (!/^([\w.{}]+: )?\{/.test(sentence))
      expect(sentence.split(/\s+/).length, sentence).toBeGreaterThanOrEqual(4);
  }
});

test('whatever a name in it is, a refusal stays under 300 characters and whole', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 280, maxLength: 320 }), (name) => {
      const { sentence } = new Refusal(409, 'conflict', name);
      expect(sentence.length).toBeLessThan(300);
      if (name.length < 300) expect(sentence).toBe(name);
      else expect(sentence.endsWith('…')).toBe(true);
    }),
    { numRuns: 40 },
  );
});
