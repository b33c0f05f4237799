// Walks the list of what letters depend on (src/features/outreach/sends/draft/dependencies.rules.ts): someone who may enrols a person and
// signs for their letter under each policy of reviewing, a token without wire makes every change there is, before the letter
// is written and after, and the sender goes on. Nothing leaves that no one saw, unless the policy says so.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { features } from '../../src/features.ts';
import {
  DEPENDENCIES,
  type Dependency,
  type DependencyName,
  type Notice,
} from '../../src/features/outreach/sends/draft/dependencies.rules.ts';
import { NO_EDITS } from '../../src/features/outreach/sends/draft/no-edits.rules.ts';
import type { AnyOperation } from '../../src/kernel/operation.ts';
import type { Answer, TestApp, TokenClient } from '../support/app.ts';
import { approved } from '../support/letters.ts';
import { smtpSink, type SmtpSink, type SunkLetter } from '../support/smtp.ts';
import { type TablesWritten, tablesWritten } from '../support/writes.ts';
import { EDITS } from './dependency-edits.ts';
import { aWorld, type World } from './dependency-world.ts';
import { BASE_URL, openDesk } from './desk.ts';
import { seedDomain, type SeededDomain, type Site } from './seed.ts';

const ROOT = join(import.meta.dirname, '../..');
const all = Object.entries(DEPENDENCIES) as [DependencyName, Dependency][];

describe('the list of what letters depend on', () => {
  const homes = new Map<AnyOperation, { file: string; name: string }>();
  let written: TablesWritten;
  const operations = features.flatMap((each) =>
    each.operations.map(({ operation }) => operation as unknown as AnyOperation),
  );
  beforeAll(async () => {
    written = tablesWritten();
    for (const file of globSync('src/features/*/*/*contract.ts', { cwd: ROOT }))
      for (const [name, value] of Object.entries((await import(join(ROOT, file))) as Record<string, unknown>))
        if (operations.includes(value as AnyOperation)) homes.set(value as AnyOperation, { file, name });
  });
  const tablesOf = (operation: AnyOperation): Set<string> => {
    const home = homes.get(operation);
    if (!home) throw new Error(`${operation.name} is exported from no contract`);
    return written.of(home);
  };

  test('names every operation that writes a table of it, or says why that changes no letter', () => {
    const tables = new Set(all.flatMap(([, { tables: of }]) => of));
    const missing: string[] = [];
    for (const operation of operations.filter(({ effect }) => effect !== 'read'))
      for (const table of tablesOf(operation)) {
        if (!tables.has(table)) continue;
        const { name } = operation;
        const edits = all.some(([, each]) => each.tables.includes(table) && each.edited_by.includes(name));
        const none = NO_EDITS.some(
          (each) => each.operations.includes(name) && (each.tables?.includes(table) ?? true),
        );
        if (!edits && !none) missing.push(`${name} writes ${table}`);
      }
    expect(missing).toEqual([]);
  });

  test('names no operation that is not there, or that does not write what it is named for', () => {
    const named = new Map(operations.map((operation) => [operation.name, operation]));
    const wrong: string[] = [];
    for (const [dependency, { tables, edited_by }] of all)
      for (const name of edited_by) {
        const operation = named.get(name);
        if (!operation || !tables.some((table) => tablesOf(operation).has(table)))
          wrong.push(`${dependency}: ${name}`);
      }
    for (const { operations: free } of NO_EDITS)
      for (const name of free) if (!named.has(name)) wrong.push(name);
    expect(wrong).toEqual([]);
  });

  test('has a change for each entry, and one by each of its operations', () => {
    const lacking = all.flatMap(([name, { edited_by }]) => {
      const made = new Set(EDITS[name].map(({ by }) => by));
      const named = new Set(edited_by);
      return [...named.symmetricDifference(made)].map((operation) => `${name}: ${operation}`);
    });
    expect(lacking).toEqual([]);
    expect(Object.keys(EDITS).sort()).toEqual(Object.keys(DEPENDENCIES).sort());
  });
});

const POLICIES = ['every_letter', 'first_touch', 'changed', 'sample', 'none'] as const;
const MOMENTS = ['before it is written', 'once it is signed for'] as const;

let app: TestApp;
let sink: SmtpSink;
let plain: TokenClient;
let site: Site;
let domain: SeededDomain;
beforeAll(async () => {
  app = await openDesk();
  sink = await smtpSink();
  site = { sql: app.sql, sealer: app.instance.app.sealer, base_url: BASE_URL };
  domain = await seedDomain(site, app.clock.now());
  plain = await app.token();
});
afterAll(async () => {
  await app?.close();
  await sink?.[Symbol.asyncDispose]();
});

test('the list has every table that a letter is made of, and that its gates read', async () => {
  const known = new Set<string>(all.flatMap(([, { tables }]) => tables));
  // What the sender itself counts and keeps, and what was said in conversations.
  const own = [
    'send_attachments',
    'letters_started',
    'letters_to_remake',
    'sender_lanes',
    'pass_runs',
    'touches',
    'threads',
  ];
  const there = await app.sql<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'public'`;
  const files = globSync('src/features/outreach/sends/**/{source,facts,remake}.store.ts', { cwd: ROOT });
  expect(files).toHaveLength(3);
  const sources = files.map((file) => readFileSync(join(ROOT, file), 'utf8'));
  const read = there.filter(({ name }) =>
    sources.some((text) => new RegExp(`\\b(?:from|join) ${name}\\b`).test(text)),
  );
  expect(read.length).toBeGreaterThan(15);
  expect(read.map(({ name }) => name).filter((name) => !known.has(name) && !own.includes(name))).toEqual([]);
});

const columnsOf = (review_policy: string): Record<string, unknown> => ({
  review_policy,
  review_sample: 0,
  ...(review_policy === 'none' && {
    no_human_review_by_kind: 'person',
    no_human_review_by_id: app.admin.id,
    no_human_review_by_name: 'Ada',
    no_human_review_at: app.clock.now(),
    no_human_review_revision: 1,
  }),
});

const run = async (...passes: string[]): Promise<void> => {
  for (const pass of passes) await app.instance.jobs.run(pass);
};

/** Its letter, written, and approved where someone is to read it. */
async function signedFor(world: World): Promise<void> {
  const [letter] = await app.sql<{ id: string; state: string }[]>`
    select id, state from sends where prospect_id = ${world.prospect}`;
  expect(letter, 'its letter is written').toBeDefined();
  world.send = letter?.id ?? null;
  if (letter?.state !== 'review') return;
  const answer = await approved(app.admin, letter.id);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}

/** As a word of its own: signatures and tokens have any four letters in them now and then. */
const saysEvil = ({ bytes, to }: SunkLetter): boolean =>
  /\bevil\b/i.test(decoded(bytes)) || to.some((address) => address.includes('evil'));
/** Soft line breaks out, so that a word is in one piece. */
const decoded = (bytes: Buffer): string => bytes.toString('utf8').replace(/=\r?\n/g, '');

type Walked = {
  name: string;
  notice: Notice | 'control';
  answer: Pick<Answer, 'status' | 'body'>;
  mayBeRefused: boolean;
  world: World;
};

describe.each(POLICIES)('under the policy %s', (policy) => {
  describe.each(MOMENTS)('what a token changes %s', (moment) => {
    const early = moment === MOMENTS[0];
    const walked: Walked[] = [];
    beforeAll(async () => {
      // A minute between what was agreed to and what is changed.
      const worlds: World[] = [];
      const edits = all.flatMap(([name, { notice }]) =>
        EDITS[name].filter(({ after }) => !(early && after)).map((edit) => ({ name, notice, edit })),
      );
      // A noun has a hundred fields at most, and each world one of its own.
      await app.sql`delete from custom_fields`;
      const database = { app, site, domain, port: sink.port };
      for (const _ of edits) worlds.push(await aWorld(database, columnsOf(policy)));
      const control = await aWorld(database, columnsOf(policy));
      if (!early) await run('stepping');
      app.clock.advance(60_000);
      for (const world of [...worlds, control]) if (!early) await signedFor(world);
      for (const [at, { name, notice, edit }] of edits.entries()) {
        const world = worlds[at]!;
        const answer = await edit.make(plain, world);
        walked.push({
          name: `${name}: ${edit.by}, ${edit.says}`,
          notice,
          answer,
          mayBeRefused: edit.mayBeRefused ?? false,
          world,
        });
      }
      walked.push({
        name: 'control',
        notice: 'control',
        answer: { status: 200, body: {} },
        mayBeRefused: false,
        world: control,
      });
      for (let round = 0; round < 3; round++) {
        app.clock.advance(11 * 60_000);
        await run('stepping', 'letters_remake', 'letters', 'letters_recheck', 'letters');
      }
    }, 300_000);

    /** Whoever they went to. */
    const left = ({ world }: Walked): SunkLetter[] =>
      sink.letters.filter(({ bytes }) => decoded(bytes).includes(`<${world.sender}>`));

    test('nothing leaves that no one saw', async () => {
      const unread = early && policy === 'none';
      const wrong: string[] = [];
      for (const each of walked) {
        const letters = left(each);
        const evil = letters.some(saysEvil);
        const says = (what: string) => wrong.push(`${each.name}: ${what}`);
        if (evil && !(each.notice === 'marked' && unread)) says('what the token wrote left');
        const refused = each.answer.status >= 400;
        if (each.notice === 'refused' || each.mayBeRefused) {
          if (!refused && !each.mayBeRefused) says('it was not refused');
        } else if (refused) says(`${each.answer.status} ${JSON.stringify(each.answer.body)}`);
        if (letters.length === 0 || refused) continue;
        if (each.notice === 'held' || each.notice === 'read') says('it left');
        if (each.notice === 'bound' && early) says('it left');
        if (each.notice === 'marked' && early && !unread) says('it left unread');
      }
      expect(wrong).toEqual([]);
      // What the token wrote would be found, had it left.
      if (unread) expect(walked.some((each) => left(each).some(saysEvil))).toBe(true);
    });

    test('what no one changed leaves where the policy lets it', () => {
      const control = walked.find(({ notice }) => notice === 'control');
      const goes = !early || policy === 'changed' || policy === 'none';
      expect(control && left(control).length).toBe(goes ? 1 : 0);
      const untouched = walked.filter(({ notice }) => notice === 'copied' || notice === 'refused');
      for (const each of untouched) expect(left(each).length, each.name).toBe(goes ? 1 : 0);
    });
  });
});
