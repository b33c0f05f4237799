// Checks that what policies hide from someone is nowhere in what they read: every read operation is asked before and
// after records are made that its caller may not read, and answers the same; and the id of a hidden record is answered as an
// id of nothing is. A read operation that is added is asked too: what cannot be compared is listed here, with the reason.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { features } from '../../src/features.ts';
import type { AnyOperation } from '../../src/kernel/operation.ts';
import { pathKeys } from '../../src/kernel/operation.ts';
import { type Named, type RecordsDesk, recordsBeside, recordsDesk } from '../support/desks.ts';
import { openTestApp, type PersonClient, type TestApp } from '../support/app.ts';

/** What is not the same before and after, and why that tells nothing of what is hidden. This list only shrinks. */
const APART: Record<string, string> = {
  audit_list:
    'the log has the acts of this very test, its files included; below it is asked for hidden records',
  activity_list: 'as the log',
  activity_export: 'as the log',
  activity_digest: 'as the log',
  health_get: 'the sizes and passes of the instance as a whole, for those who keep it running',
  policy_list: 'has the names that a policy denies, which whoever may read policies reads',
  policy_explain: 'as the list of policies',
  assignee_list:
    'names who may be given work, as every member reads them on cards; a right to users is not asked',
  postal_address_list: 'letterheads are no records that policies name one by one',
  me_get: 'has the revision of the reader themselves, whose policy the test changes',
};

const WHOLE =
  'figures of the campaign or domain as a whole, which its activation, its pace and its warden go by';

/**
 * Whose numbers are not of rows, but of a thing that the reader may read as a whole: they are compared without them. They tell
 * how many, by no condition that the reader chooses. This list only shrinks.
 */
const METRICS: Record<string, string> = {
  campaign_list: WHOLE,
  campaign_read: WHOLE,
  campaign_export: WHOLE,
  campaign_preflight: WHOLE,
  campaign_overview: WHOLE,
  campaign_forecast: WHOLE,
  campaign_digest: WHOLE,
  sequence_digest: WHOLE,
  domain_list: WHOLE,
  domain_read: WHOLE,
  sending_digest: WHOLE,
};

/** Arguments that name one record. */
const EXAMPLE_KEYS: Record<string, true> = Object.fromEntries(
  'person person_id company deal segment project item_id approval campaign prospect send thread thread_id identity domain workflow run user'
    .split(' ')
    .map((key) => [key, true]),
);

const WORD = 'Umbra';
const reads: AnyOperation[] = features
  .flatMap((feature) => feature.operations.map(({ operation }) => operation))
  .filter(({ effect }) => effect === 'read');

let app: TestApp;
let reader: PersonClient;
let seen: RecordsDesk;
let hidden: RecordsDesk;
let names: string[];
const before = new Map<string, string>();

const isStream = ({ answers }: AnyOperation): boolean => 'stream' in answers;
const keysOf = ({ takes }: AnyOperation): string[] => Object.keys(takes.shape);
const isNeeded = ({ takes }: AnyOperation, key: string): boolean =>
  !(takes.shape[key] as { safeParse(value: unknown): { success: boolean } }).safeParse(undefined).success;

/** Its example, with the desk's records for what it needs, and nothing that it does not. */
function argumentsOf(op: AnyOperation, named: Named): Record<string, unknown> {
  const example = op.example as Record<string, unknown>;
  const needed = keysOf(op).filter((key) => isNeeded(op, key));
  return Object.fromEntries(needed.map((key) => [key, named[key] ?? example[key]]));
}

/** Once as it is, and once with each of the arguments that can name a record. */
function callsOf(
  op: AnyOperation,
  named: Named,
  by: Named,
): [label: string, args: Record<string, unknown>][] {
  const plain = argumentsOf(op, named);
  const more = keysOf(op).filter((key) => key in by);
  return [
    ...(by === named ? [[op.name, plain] as [string, Record<string, unknown>]] : []),
    ...more.map((key): [string, Record<string, unknown>] => [
      `${op.name} ${key}`,
      { ...plain, [key]: by[key] },
    ]),
  ];
}

async function ask(op: AnyOperation, args: Record<string, unknown>): Promise<string> {
  const inPath = pathKeys(op.path);
  const path = inPath.reduce(
    (at, key) => at.replace(`:${key}`, encodeURIComponent(String(args[key]))),
    op.path as string,
  );
  const rest = Object.entries(args).filter(([key]) => !inPath.includes(key));
  const query = new URLSearchParams(rest.map(([key, value]) => [key, String(value)]));
  const answer =
    op.method === 'GET'
      ? await reader.rest('GET', `${path}?${query.toString()}`)
      : await reader.rest(op.method, path, Object.fromEntries(rest));
  expect(answer.status, `${op.name} ${JSON.stringify(answer.body)}`).toBeLessThan(500);
  return `${answer.status} ${JSON.stringify(answer.body, null, 1)}`;
}

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)/g;
/** What a fingerprint of what was seen, or a challenge that is drawn again, is not compared by. */
const DRAWN = /"(?:seen|challenge)": "[\w-]+"/g;
const plain = (said: string): string => said.replaceAll(TIME, 'a time').replaceAll(DRAWN, 'drawn');
/** Each of its lines once, without numbers and without sentences, which have them. */
const withoutMetrics = (said: string): string[] => {
  const lines = said
    .replaceAll(/"sentence": "[^"]*"/g, 'a sentence')
    .replaceAll(/\d+(?:\.\d+)?/g, '#')
    .split('\n');
  return [...new Set(lines.map((line) => line.replace(/,$/, '')))].sort();
};

/** Hidden records whose ids are there. */
const mentioned = (said: string): string[] =>
  names.filter((name) => said.includes(name.slice(name.search(/[^/:]+$/))));

const statements = (denied: string[]): object[] => [
  { effect: 'allow', actions: ['*'], resources: ['*'] },
  ...Array.from({ length: Math.ceil(denied.length / 50) }, (_, at) => ({
    effect: 'deny',
    actions: ['*'],
    resources: denied.slice(at * 50, at * 50 + 50),
  })),
];

beforeAll(async () => {
  app = await openTestApp();
  const agent = await app.token({ name: 'scout' });
  seen = await recordsDesk(app, agent, 'Lumen');
  const policy = await app.admin.rest('POST', '/api/admin/policies', {
    name: 'reader',
    version: 1,
    statements: statements([]),
  });
  expect(policy.status, JSON.stringify(policy.body)).toBe(201);
  reader = await app.person({ name: 'Rhea Reader', email: 'rhea@example.com', policies: ['reader'] });
  await app.person({ name: 'Last One', email: 'last@example.com' });
  const words = { query: WORD, tag: WORD, address: `${WORD.toLowerCase()}@${WORD.toLowerCase()}.example` };
  for (const op of reads.filter((each) => !isStream(each)))
    for (const [label, args] of [
      ...callsOf(op, seen.named, seen.named),
      ...callsOf(op, seen.named, words).map(([name, given]): [string, Record<string, unknown>] => [
        `${name} hidden`,
        given,
      ]),
    ])
      before.set(label, plain(await ask(op, args)));

  hidden = await recordsDesk(app, agent, WORD);
  names = [...hidden.names, ...(await recordsBeside(app, agent, seen, WORD))];
  const changed = await app.admin.rest('PATCH', '/api/admin/policies/reader', {
    version: 1,
    statements: statements(names),
  });
  expect(changed.status, JSON.stringify(changed.body)).toBe(200);
}, 300_000);
afterAll(() => app?.close());

test('what cannot be compared are operations that there are', () => {
  const known = reads.map(({ name }) => name);
  expect(Object.keys({ ...APART, ...METRICS }).filter((name) => !known.includes(name))).toEqual([]);
});

// Before the others: what the reader themselves asked for is in the log from then on.
test.each(['audit_list', 'activity_list', 'activity_export', 'activity_digest'])(
  'hole B1: %s says nothing of what is hidden',
  async (name) => {
    const op = reads.find((each) => each.name === name)!;
    const said = await ask(op, {
      ...argumentsOf(op, seen.named),
      ...(name.endsWith('list') && { limit: 200 }),
    });
    // Who acted is in the log of acts, whoever they are.
    expect(mentioned(said).filter((each) => !each.startsWith('admin:user/'))).toEqual([]);
  },
);

describe('hole B1: hidden records change no answer', () => {
  test.each(reads.filter((op) => !isStream(op) && !(op.name in APART)))('$name', async (op) => {
    const words = { query: WORD, tag: WORD, address: hidden.named['address'] ?? '' };
    const calls = [
      ...callsOf(op, seen.named, seen.named),
      ...callsOf(op, seen.named, words).map(([name, given]): [string, Record<string, unknown>] => [
        `${name} hidden`,
        given,
      ]),
    ];
    for (const [label, args] of calls) {
      const [then, now] = [before.get(label) ?? '', plain(await ask(op, args))];
      if (op.name in METRICS) expect(withoutMetrics(now), label).toEqual(withoutMetrics(then));
      else expect(now, label).toBe(then);
      expect(mentioned(now), label).toEqual([]);
    }
  });
});

describe('hole B2: the id of a hidden record is answered as one of nothing', () => {
  const asked = reads.filter((op) => keysOf(op).some((key) => key in EXAMPLE_KEYS));
  test.each(asked)('$name', async (op) => {
    for (const key of keysOf(op).filter((each) => each in EXAMPLE_KEYS)) {
      const [id, nothing] = [hidden.named[key] ?? '', key === 'project' ? 'NOPE' : randomUUID()];
      const args = argumentsOf(op, seen.named);
      const masked = async (value: string) =>
        plain(await ask(op, { ...args, [key]: value })).replaceAll(value, 'that');
      expect(await masked(id), `${op.name} ${key}`).toBe(await masked(nothing));
    }
  });
});
