// The pages say what is so: their links lead somewhere, the settings and commands are those of the product, and what they
// print in bold is on the screens.
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { readPlace, readSettings } from '../../src/cli/environment.ts';
import { clients } from '../../src/features/access/tokens/screens/clients.ts';
import { readLimits, unknownLimits } from '../../src/kernel/limits.ts';
import { dunnock } from '../commands/dunnock.ts';
import { blocksOf, PAGES, read, ROOT } from './page.ts';

const KIB = 1024;

/** As the pages are shown: lower case, without punctuation, hyphens for spaces. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (page: string): string[] =>
  [...read(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** Without fenced blocks and words in code, in which brackets are no links. */
const prose = (page: string): string =>
  read(page)
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .replaceAll(/`[^`\n]*`/g, '');

/** The rows of the table that begins with this heading of its first column; cells without their marks. */
function table(page: string, first: string): string[][] {
  const text = read(page);
  const begin = text.indexOf(`| ${first} |`);
  expect(begin, `${page} has a table that begins with "${first}"`).toBeGreaterThanOrEqual(0);
  const lines = text.slice(begin).split('\n');
  return lines.slice(2, lines.indexOf('')).map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('\\|', '|')),
  );
}

const bare = (cell: string): string => cell.replaceAll('`', '');

test.each(PAGES)('every link of %s leads to a file, and to a heading in it', (page) => {
  for (const [, target = ''] of prose(page).matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:/.test(target)) continue;
    const [file = '', anchor] = target.split('#');
    const leads = file === '' ? page : join(dirname(page), file);
    expect(existsSync(join(ROOT, leads)), `${page} leads to ${target}`).toBe(true);
    if (anchor !== undefined) expect(anchorsOf(leads), `${page} leads to ${target}`).toContain(anchor);
  }
});

test('pictures are small, and each is shown somewhere', () => {
  for (const picture of globSync('docs/**/*.{png,jpg,svg}', { cwd: ROOT })) {
    expect(statSync(join(ROOT, picture)).size, picture).toBeLessThanOrEqual(200 * KIB);
    expect(
      PAGES.some((page) => prose(page).includes(picture.split('/').at(-1) ?? '')),
      picture,
    ).toBe(true);
  }
});

test('README lists the settings that the process reads, all of them and no other', () => {
  const sources = ['src/main.ts', ...globSync('src/cli/*.ts', { cwd: ROOT })].map(read).join('\n');
  const inBrackets = [...sources.matchAll(/\benv(?:\[|, )'([A-Z_]+)'/g)].map(([, name]) => name);
  const takenOut = [...sources.matchAll(/const \{([^}]+)\} = env;/g)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => /[A-Z_]{3,}/.exec(name)?.[0]);
  const known = new Set([...inBrackets, ...takenOut].filter((name) => name !== undefined));
  expect(known.size).toBeGreaterThan(15);
  expect(
    table('README.md', 'setting')
      .map(([name = '']) => bare(name))
      .sort(),
  ).toEqual([...known].sort());
});

test('the defaults in README are those of a process that was told nothing', () => {
  const stated = new Map(
    table('README.md', 'setting').map(([name = '', , value = '']) => [bare(name), bare(value)]),
  );
  const [place, settings] = [readPlace({}, '/checkout'), readSettings({})];
  expect(stated.get('HOST')).toBe(settings.host);
  expect(stated.get('PORT')).toBe(String(settings.port));
  expect(stated.get('SERVICE_INSTANCE')).toBe(place.name);
  expect(stated.get('SERVICE_DATA_DIR')).toBe(`${place.data_dir.replace('/checkout/', '')} in the checkout`);
  expect(stated.get('SERVICE_SENDING')).toBe(settings.sending?.enabled ? 'on' : 'off');
  expect(stated.get('SERVICE_DEVELOPMENT')).toBe(settings.sending?.development ? '1' : '0');
  expect(read('src/main.ts')).toContain(`env['LOG_LEVEL'] ?? '${stated.get('LOG_LEVEL')}'`);
});

test('the limits that hold where nothing is said are in the guide, and no other', () => {
  const units: Record<number, string> = { 1_000: 's', 60_000: 'm', 3_600_000: 'h', 86_400_000: 'd' };
  const stated = table('docs/guide/operations.md', 'name')
    .map(([name = '', , , value = '']) => [bare(name), bare(value)])
    .filter(([, value]) => value !== 'none');
  const held = [...(readSettings({}).limits ?? [])].map(([name, limit]) => [
    name,
    limit === null ? 'off' : `${limit.most}/${units[limit.per_ms]}`,
  ]);
  expect(Object.fromEntries(stated)).toEqual(Object.fromEntries(held));
});

test('limits that a page gives as an example are of names that represent something', () => {
  const { paths } = JSON.parse(read('openapi.json')) as {
    paths: Record<string, Record<string, { operationId?: string }>>;
  };
  const operations = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId = '' }) => operationId),
  );
  expect(operations).toContain('people_import');
  const given = ['README.md', 'docs/guide/operations.md'].flatMap((page) => [
    ...read(page).matchAll(/["`]((?:[a-z_]+=\d+\/[smhd](?:, )?){2,})["`]/g),
  ]);
  expect(given.length).toBeGreaterThan(1);
  for (const [, text = ''] of given)
    expect(unknownLimits(readLimits(text), new Set(operations)), text).toEqual([]);
});

test('the guide lists the commands that help lists, as they are typed', async () => {
  const { lines } = await dunnock({}, ['help']);
  const typed = lines.map((line) => line.trim()).filter((line) => line.startsWith('dunnock '));
  expect(typed.length).toBeGreaterThan(9);
  expect(table('docs/guide/operations.md', 'command').map(([name = '']) => bare(name))).toEqual(typed);
});

test('every npm script is in README, and README names no other', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = new Set<string>();
  for (const page of PAGES.filter((each) => !each.startsWith('docs/decisions/')))
    for (const [, run, short] of read(page).matchAll(/\bnpm (?:run ([a-z:-]+)|(start|test)\b)/g)) {
      expect(Object.keys(scripts), `${page}: npm ${run ?? short}`).toContain(run ?? short);
      named.add(run ?? short ?? '');
    }
  expect([...named].sort()).toEqual(Object.keys(scripts).sort());
});

test('what is written into a client’s file is what the screens show for it', () => {
  const shown = clients('https://desk.example.com/mcp', 'nck_…').flatMap(({ text }) =>
    text.startsWith('{') ? [JSON.parse(text) as object] : [],
  );
  const written = blocksOf('docs/guide/agents.md').filter(({ language }) => language === 'json');
  expect(written.length).toBeGreaterThan(2);
  for (const { text } of written) expect(shown).toContainEqual(JSON.parse(text));
  const [mine] = blocksOf('README.md').filter(({ language }) => language === 'json');
  expect(JSON.parse(mine?.text ?? '').mcpServers.dunnock).toEqual({
    type: 'http',
    url: 'http://127.0.0.1:4400/mcp',
    headers: { Authorization: 'Bearer nck_…' },
  });
});

test('what a guide has in bold on the way through the screens is there in these words', () => {
  const screens = globSync('src/**/*.{ts,tsx}', { cwd: ROOT })
    .filter((file) => /\/screens\/|^src\/ui\//.test(file) && !file.includes('.test.'))
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .join('\n');
  const bold = ['getting-started', 'agents'].flatMap((guide) => [
    ...prose(`docs/guide/${guide}.md`).matchAll(/\*\*([^*]+)\*\*/g),
  ]);
  expect(bold.length).toBeGreaterThan(10);
  for (const [, words = ''] of bold)
    expect(
      new RegExp(String.raw`[>'"\`\n ]${words.replaceAll('?', '\\?')}[<'"\`\n]`).test(screens),
      words,
    ).toBe(true);
});

test('the architecture names files and folders that are there, a row for every room, and every decision', () => {
  const text = read('ARCHITECTURE.md');
  for (const [, path = ''] of text.matchAll(
    /`((?:src|features|entry|kernel|migrations|scripts|test)\/[\w./-]*)`/g,
  ))
    expect(existsSync(join(ROOT, path)) || existsSync(join(ROOT, 'src', path)), path).toBe(true);
  for (const room of readdirSync(join(ROOT, 'src')))
    expect(text, room).toMatch(new RegExp(`^\\| \`src/${room.replace('.', '\\.')}(/|\`)`, 'm'));
  for (const decision of readdirSync(join(ROOT, 'docs/decisions'))) {
    const [, title = ''] = /^# \d+\. (.+)$/m.exec(read(`docs/decisions/${decision}`)) ?? [];
    expect(text).toContain(`](docs/decisions/${decision}) ${title}\n`);
  }
});
