// Every regular expression of the product and of what is installed beside an agent, and whether an analyzer finds that it takes
// more than linear time. Run, it writes down which were found linear (test/house/patterns.linear.json), so that the test analyzes
// new ones alone.
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseSync } from 'vite';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOUND = join(ROOT, 'test/house/patterns.linear.json');

export type Pattern = {
  file: string;
  source: string;
  flags: string;
  /** Of source and flags: what lists name it by. */
  key: string;
};

type Node = { type: string; [key: string]: unknown };

const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

const keyOf = (source: string, flags: string): string =>
  createHash('sha256').update(`/${source}/${flags}`).digest('hex').slice(0, 12);

/** `literals`; `building`: files that build patterns while they load; `later`: calls that build one within a function. */
export function patternsInSources(): { literals: Pattern[]; building: string[]; later: string[] } {
  const literals: Pattern[] = [];
  const building = new Set<string>();
  const later: string[] = [];
  const files = globSync('{src,client}/**/*.{ts,tsx,mjs}', { cwd: ROOT }).filter(
    (file) => !file.includes('.test.') && !file.includes('node_modules'),
  );
  for (const file of files) {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const visit = (node: Node, inFunction: boolean): void => {
      const regex = node['regex'] as { pattern: string; flags: string } | undefined;
      if (node.type === 'Literal' && regex)
        literals.push({
          file,
          source: regex.pattern,
          flags: regex.flags,
          key: keyOf(regex.pattern, regex.flags),
        });
      const callee = node['callee'] as { name?: string } | undefined;
      if (callee?.name === 'RegExp') {
        if (inFunction)
          later.push(`${file} ${text.slice(node['start'] as number, node['end'] as number).slice(0, 60)}`);
        else building.add(file);
      }
      const within = inFunction || FUNCTIONS.includes(node.type);
      for (const child of Object.values(node))
        for (const each of Array.isArray(child) ? child : [child])
          if (typeof each === 'object' && each !== null && 'type' in each) visit(each as Node, within);
    };
    visit(parseSync(file, text).program as unknown as Node, false);
  }
  return { literals, building: [...building], later };
}

/** The patterns that these files build while they load; in a process of its own, for nothing may have loaded them before. */
export function patternsBuiltIn(files: readonly string[]): Pattern[] {
  const told = spawnSync(process.execPath, [fileURLToPath(import.meta.url), '--built', ...files], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (told.status !== 0) throw new Error(told.stderr);
  return JSON.parse(told.stdout) as Pattern[];
}

/** Caught in the constructor. */
async function loaded(files: readonly string[]): Promise<Pattern[]> {
  const built: Pattern[] = [];
  const Own = globalThis.RegExp;
  globalThis.RegExp = new Proxy(Own, {
    construct(target, given, asked) {
      const made = Reflect.construct(target, given, asked) as RegExp;
      const from = (new Error('where').stack ?? '').split('\n')[2] ?? '';
      const file = from.includes('node_modules') ? undefined : /(src\/[^\s:?)]+)/.exec(from)?.[1];
      if (file !== undefined)
        built.push({ file, source: made.source, flags: made.flags, key: keyOf(made.source, made.flags) });
      return made;
    },
  });
  try {
    for (const file of files) await import(pathToFileURL(join(ROOT, file)).href);
  } finally {
    globalThis.RegExp = Own;
  }
  return built;
}

export type Verdict = 'linear' | 'slow' | 'unknown';

/** Asks the analyzer's part in JavaScript; `within_ms` is for one pattern. */
export function verdictOf({ source, flags }: Pattern, within_ms: number): { verdict: Verdict; says: string } {
  process.env['RECHECK_BACKEND'] = 'pure';
  process.env['RECHECK_SYNC_BACKEND'] = 'pure';
  const { checkSync } = createRequire(import.meta.url)('recheck') as typeof import('recheck');
  const found = checkSync(source, flags.replace(/[dv]/g, ''), { timeout: within_ms, randomSeed: 1 });
  if (found.status === 'safe') return { verdict: 'linear', says: '' };
  if (found.status === 'vulnerable') return { verdict: 'slow', says: found.attack.pattern.slice(0, 200) };
  return { verdict: 'unknown', says: found.error.kind };
}

/** Keys of the patterns that were found linear before. */
export const foundLinear = (): ReadonlySet<string> =>
  new Set((JSON.parse(readFileSync(FOUND, 'utf8')) as { linear: string[] }).linear);

if (import.meta.main && process.argv[2] === '--built') {
  process.stdout.write(JSON.stringify(await loaded(process.argv.slice(3))));
} else if (import.meta.main) {
  const { literals, building } = patternsInSources();
  const all = new Map([...literals, ...patternsBuiltIn(building)].map((each) => [each.key, each]));
  const before = process.argv.includes('--anew') ? new Set<string>() : foundLinear();
  const linear: string[] = [];
  for (const [key, pattern] of all) {
    const { verdict, says } = before.has(key) ? { verdict: 'linear', says: '' } : verdictOf(pattern, 10_000);
    if (verdict === 'linear') linear.push(key);
    else process.stdout.write(`${verdict} ${key} ${pattern.file} /${pattern.source.slice(0, 80)}/ ${says}\n`);
  }
  writeFileSync(FOUND, `${JSON.stringify({ analyzer: 'recheck 4.5.0', linear: linear.sort() }, null, 1)}\n`);
}
