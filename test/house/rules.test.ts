// The app rules, held by reading the sources: arrows, sizes, and what only certain files may touch. Allow-lists here only
// shrink; the text of a failure says what to do.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

type Source = { file: string; text: string; lines: number; imports: { from: string; typeOnly: boolean }[] };

const IMPORT =
  /(?:import|export)\s+(type\s)?[^'"`;]*?from\s+'([^']+)'|import\(\s*'([^']+)'\s*\)|^import\s+'([^']+)'/gm;

function read(file: string): Source {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const imports = [...text.matchAll(IMPORT)].map((m) => ({
    typeOnly: m[1] !== undefined,
    from: (m[2] ?? m[3] ?? m[4]) as string,
  }));
  return { file, text, lines: text.split('\n').length - 1, imports };
}

const sources = globSync('src/**/*.{ts,tsx}', { cwd: ROOT })
  .filter((file) => !file.endsWith('.gen.ts'))
  .map(read);
const product = sources.filter(({ file }) => !file.includes('.test.'));
const server = product.filter(({ file }) => !isScreen(file));

function isScreen(file: string): boolean {
  return file.startsWith('src/ui/') || file.includes('/screens/');
}

/** Which rooms a room may import; arrows go down only. */
const ARROWS: Record<string, string[]> = {
  main: ['cli', 'store', 'net', 'kernel'],
  cli: ['instance', 'telemetry', 'features.ts', 'features', 'mail', 'store', 'net', 'kernel'],
  telemetry: ['kernel'],
  instance: ['entry', 'jobs', 'features.ts', 'features', 'store', 'net', 'kernel'],
  'features.ts': ['features', 'kernel'],
  entry: ['kernel'],
  jobs: ['kernel'],
  features: ['features', 'mail', 'apart', 'net', 'lua', 'store', 'kernel'],
  lua: ['kernel'],
  mail: ['apart', 'net', 'kernel'],
  apart: ['kernel'],
  store: ['kernel'],
  net: ['kernel'],
  kernel: [],
};

function roomOf(file: string): string {
  if (isScreen(file)) return 'ui';
  const [, first = ''] = file.split('/');
  if (first === 'features.ts') return first;
  return first.replace(/\.ts$/, '');
}

const resolved = (source: Source, from: string): string => normalize(join(dirname(source.file), from));

describe('arrows go down only', () => {
  test.each(server)('$file', (source) => {
    const room = roomOf(source.file);
    const wrong = source.imports
      .filter(({ from }) => from.startsWith('.'))
      .map(({ from }) => resolved(source, from))
      .filter((target) => roomOf(target) !== room && !(ARROWS[room] ?? []).includes(roomOf(target)));
    expect(
      wrong,
      `${room} may import ${ARROWS[room]?.join(', ') || 'itself alone'}: move the shared thing down, or hand it in`,
    ).toEqual([]);
  });
});

test('the kernel imports itself, node and the schema library; of the driver and the log their types alone', () => {
  const wrong = product
    .filter(({ file }) => roomOf(file) === 'kernel')
    .flatMap(({ file, imports }) =>
      imports
        .filter(({ from }) => !from.startsWith('.') && !from.startsWith('node:') && from !== 'zod')
        .map((each) => ({ file, ...each })),
    )
    .filter(({ from, typeOnly }) => !(typeOnly && (from === 'postgres' || from === 'pino')));
  expect(wrong).toEqual([]);
});

/** The folder of its feature: `src/features/<area>/<feature>`. */
const featureOf = (file: string): string => file.split('/').slice(0, 4).join('/');

test("a feature imports another feature's contract, rules and loaders, never its handlers", () => {
  const wrong = server
    .filter(({ file }) => roomOf(file) === 'features')
    .flatMap((source) =>
      source.imports
        .filter(({ from }) => from.startsWith('.'))
        .map(({ from }) => ({ file: source.file, target: resolved(source, from) }))
        .filter(
          ({ file, target }) =>
            target.startsWith('src/features/') &&
            featureOf(target) !== featureOf(file) &&
            /handlers|feature\.ts$|tools\.ts$/.test(target),
        ),
    );
  expect(wrong, "call the other feature's operation by scene.invoke").toEqual([]);
});

test('contracts and rules do no input or output, so that screens may lean on them', () => {
  const wrong = server
    .filter(({ file }) => /(contract|rules)\.ts$/.test(file))
    .flatMap((source) =>
      source.imports
        .filter(({ from }) =>
          from.startsWith('.')
            ? !/(contract|rules)\.ts$/.test(from) && !from.includes('/kernel/')
            : from !== 'zod' && !from.startsWith('node:crypto'),
        )
        .map(({ from }) => `${source.file} imports ${from}`),
    );
  expect(wrong).toEqual([]);
});

test('screens import contracts and rules of the server, and nothing else of it', () => {
  const wrong = product
    .filter(({ file }) => isScreen(file))
    .flatMap((source) =>
      source.imports
        .filter(({ from }) => from.startsWith('.'))
        .map(({ from, typeOnly }) => ({ file: source.file, target: resolved(source, from), typeOnly }))
        .filter(({ target }) => !isScreen(target) && !target.endsWith('rules.ts')),
    )
    .filter(
      ({ target, typeOnly }) =>
        !(typeOnly && target.endsWith('contract.ts')) && !target.startsWith('src/kernel/clock'),
    );
  expect(wrong).toEqual([]);
});

test("a screen imports another feature's screens only through what that feature lends", () => {
  const wrong = product
    .filter(({ file }) => file.startsWith('src/features/') && isScreen(file))
    .flatMap((source) =>
      source.imports
        .filter(({ from }) => from.startsWith('.'))
        .map(({ from }) => ({ file: source.file, target: resolved(source, from) }))
        .filter(
          ({ file, target }) =>
            isScreen(target) && target.startsWith('src/features/') && featureOf(target) !== featureOf(file),
        )
        .filter(({ target }) => !target.endsWith('/screens/shared.ts'))
        .map(({ file, target }) => `${file} imports ${target}`),
    );
  expect(
    wrong,
    'name it in screens/shared.ts there, or move what several features need to src/ui/kit',
  ).toEqual([]);
});

test('the parts that screens are made of import no feature', () => {
  const wrong = product
    .filter(({ file }) => /^src\/ui\/(kit|board)\//.test(file))
    .flatMap((source) =>
      source.imports
        .filter(({ from }) => from.startsWith('.') && resolved(source, from).startsWith('src/features/'))
        .map(({ from }) => `${source.file} imports ${resolved(source, from)}`),
    );
  expect(wrong, 'hand it in, or take its type from the operations in src/ui/client/call.ts').toEqual([]);
});

test('no file has more than 300 lines', () => {
  const long = sources.filter(({ lines }) => lines > 300).map(({ file, lines }) => `${file}: ${lines}`);
  expect(long, 'split it where it has a seam').toEqual([]);
});

test('no folder of a feature has more than 30 files directly in it', () => {
  const files = globSync('src/features/**/*.*', { cwd: ROOT });
  const counts = Map.groupBy(files, (file) => dirname(file));
  const full = [...counts].filter(([, inside]) => inside.length > 30);
  expect(counts.size).toBeGreaterThan(100);
  expect(
    full.map(([folder, inside]) => `${folder}: ${inside.length}`),
    'split it into rooms by what they are about',
  ).toEqual([]);
});

test('every file opens by saying what it owns, but for feature.ts, whose name says it', () => {
  const silent = product
    .filter(({ file, text }) => !file.endsWith('/feature.ts') && !/^(\/\/|\/\*|#!)/.test(text))
    .map(({ file }) => file);
  expect(silent, 'one to five lines: what this file owns').toEqual([]);
});

const only = (says: string, pattern: RegExp, allowed: RegExp): void =>
  test(says, () => {
    const wrong = server
      .filter(({ file, text }) => pattern.test(withoutComments(text)) && !allowed.test(file))
      .map(({ file }) => file);
    expect(wrong, says).toEqual([]);
  });

const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');

only('the environment is read in main alone', /\bprocess\.env\b/, /^src\/main\.ts$/);
only('time is asked of the clock', /\bDate\.now\(|new Date\(\)/, /^src\/kernel\/clock\.ts$/);
only('SQL stands in stores', /\b(db|tx|sql|reader|writer)(<[^`;]{0,400}>)?`/, /(^src\/store\/|store\.ts$)/);
only('no type says nothing', /:\s*any\b|\bas any\b|<any>|@ts-ignore|@ts-expect-error/, /^$/);

test('only these files may open a socket', () => {
  const opens = server
    .filter(
      ({ text, imports }) =>
        imports.some(
          ({ from, typeOnly }) =>
            !typeOnly && /^(node:(net|tls|http|https|http2|dgram)|postgres|fastify|imapflow)$/.test(from),
        ) || /\bfetch\(/.test(withoutComments(text)),
    )
    .map(({ file }) => file)
    .sort();
  expect(opens).toEqual([
    'src/entry/edge.ts',
    'src/entry/origin-check.ts',
    'src/mail/imap/session.ts',
    'src/mail/probe/connect.ts',
    'src/mail/transport/expiry.ts',
    'src/mail/transport/socket.ts',
    'src/net/address.ts',
    'src/net/pinned.ts',
    'src/net/post.ts',
    'src/net/trust.ts',
    'src/store/backup/session.ts',
    'src/store/connect.ts',
    'src/store/migrate.ts',
  ]);
});
