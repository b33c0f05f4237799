// Every sentence that the sources refuse with, found by walking them: each `new Refusal`, `invalid`, `conflict` and `notFound`
// is followed to the literals that it may say, through constants, conditions, functions and arguments, across files. What
// is between braces is filled in when it is said. For docs/guide/refusals.md and for the test that reads them all.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';
import { changedSince, nameTaken, notFound } from '../src/kernel/refusal.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

// oxlint-disable-next-line typescript/no-explicit-any -- the tree's own types, a hundred kinds, are not worth their weight here
type Node = { type: string; start: number; end: number; [key: string]: any };

type File = {
  name: string;
  text: string;
  /** By name: what a constant is, or what a function gives. */
  values: Map<string, Node[]>;
  functions: Map<string, Node[]>;
  imports: Map<string, { file: string; name: string }>;
  calls: { callee: string; node: Node; within: Node[] }[];
};

export type Refused = {
  file: string;
  line: number;
  /** The expression as it is in the source. */
  source: string;
  sentences: string[];
};

/** Steps from a refusal to what it says; longer ways are those of recursion and of data. */
const DEEPEST = 14;

/** What is filled in when a sentence is said, with braces of its own in it. */
export const FILLED = /\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}/g;

const MAKERS = ['invalid', 'notThere', 'conflict'];
/** Refusals that are built of words: their sentence is what the builder makes of the words that a call hands it. */
const BUILDERS: Record<string, (...words: string[]) => string> = {
  notFound: (noun = '', how = '', by) => notFound(noun, how, by).sentence,
  nameTaken: (noun = '', by) => nameTaken(noun, by).sentence,
  changedSince: (what = '') => changedSince(what, 0).sentence.replace(' 0.', ' {revision}.'),
};
const BUILT_IN = 'src/kernel/refusal.ts';
const isRefusal = (node: Node): boolean =>
  (node.type === 'NewExpression' && /^(Tool)?Refusal$/.test(node['callee'].name ?? '')) ||
  (node.type === 'CallExpression' &&
    (MAKERS.includes(node['callee'].name ?? '') || Object.hasOwn(BUILDERS, node['callee'].name ?? '')));

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

function children(node: Node): Node[] {
  return Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );
}

const FUNCTIONS = ['ArrowFunctionExpression', 'FunctionDeclaration', 'FunctionExpression'];

function read(name: string): File {
  const text = readFileSync(join(root, name), 'utf8');
  const file: File = { name, text, values: new Map(), functions: new Map(), imports: new Map(), calls: [] };
  const add = (to: Map<string, Node[]>, key: string, node: Node) =>
    to.set(key, [...(to.get(key) ?? []), node]);
  const visit = (node: Node, within: Node[]): void => {
    if (node.type === 'ImportDeclaration' && String(node['source'].value).startsWith('.'))
      for (const each of node['specifiers'])
        file.imports.set(each.local.name, {
          file: relative(root, join(root, dirname(name), node['source'].value)),
          name: each.imported?.name ?? '*',
        });
    if (node.type === 'VariableDeclarator' && node['id'].type === 'Identifier' && isNode(node['init']))
      add(
        FUNCTIONS.includes(node['init'].type) ? file.functions : file.values,
        node['id'].name,
        node['init'],
      );
    if (node.type === 'FunctionDeclaration' && node['id']) add(file.functions, node['id'].name, node);
    if (isRefusal(node) || (node.type === 'CallExpression' && node['callee'].type === 'Identifier'))
      file.calls.push({ callee: node['callee'].name, node, within });
    const inside = FUNCTIONS.includes(node.type) ? [...within, node] : within;
    for (const child of children(node)) visit(child, inside);
  };
  visit(parseSync(name, text).program as unknown as Node, []);
  return file;
}

export function refusedWith(): Refused[] {
  const names = globSync('src/**/*.ts', { cwd: root }).filter(
    (name) => !/\.test\.ts$|\.gen\.ts$|screens/.test(name),
  );
  const files = new Map(names.toSorted().map((name) => [name, read(name)]));

  /** What this may say; empty where it is handed on from elsewhere. */
  function said(node: Node | undefined, file: File, within: Node[], seen: Set<Node>): string[] {
    if (!node || seen.has(node) || seen.size > DEEPEST) return [];
    const then = new Set(seen).add(node);
    const of = (each: Node | undefined, at = file, inside = within) => said(each, at, inside, then);
    switch (node.type) {
      case 'Literal':
        return typeof node['value'] === 'string' ? [node['value']] : [];
      case 'TemplateLiteral':
        return [templateOf(node, file)];
      case 'BinaryExpression': {
        const [left, right] = [of(node['left']), of(node['right'])];
        return left.length > 0 && right.length > 0
          ? left.flatMap((a) => right.map((b) => a + b))
          : [...left, ...right];
      }
      case 'ConditionalExpression':
        return [...of(node['consequent']), ...of(node['alternate'])];
      case 'LogicalExpression':
        return [...of(node['left']), ...of(node['right'])];
      case 'TSAsExpression':
      case 'TSNonNullExpression':
      case 'ParenthesizedExpression':
      case 'AwaitExpression':
      case 'SpreadElement':
        return of(node['expression'] ?? node['argument']);
      case 'ArrayExpression':
        return node['elements'].flatMap((each: Node) => of(each));
      case 'ObjectExpression':
        return node['properties'].flatMap((each: Node) => of(each['value'] ?? each['argument']));
      case 'Identifier':
        return named(node['name'], file, within, then);
      case 'MemberExpression': {
        const from = node['object'].type === 'Identifier' && file.imports.get(node['object'].name);
        const home = from && from.name === '*' ? files.get(from.file) : undefined;
        return home ? named(node['property'].name, home, [], then) : of(node['object']);
      }
      case 'CallExpression': {
        const { callee } = node as unknown as { callee: Node };
        if (callee.type === 'Identifier') return given(callee['name'], file, then);
        const from = callee['object']?.type === 'Identifier' && file.imports.get(callee['object'].name);
        const home = from && from.name === '*' ? files.get(from.file) : undefined;
        if (home) return given(callee['property'].name, home, then);
        // `.join(…)`, `.slice(…)`, `.map(…)`: what they are called on, and what a callback gives.
        return [
          ...of(callee['object']),
          ...node['arguments']
            .filter((each: Node) => FUNCTIONS.includes(each.type))
            .flatMap((each: Node) => returns(each, file, then)),
        ];
      }
      default:
        return [];
    }
  }

  function named(name: string, file: File, within: Node[], seen: Set<Node>): string[] {
    // An argument of the function around: what its callers hand over.
    for (const around of within.toReversed()) {
      const at = around['params'].findIndex((each: Node) => (each['left'] ?? each)['name'] === name);
      if (at < 0) continue;
      const called = [...file.functions].find(([, nodes]) => nodes.includes(around))?.[0];
      const unless = said(around['params'][at]['right'], file, within, seen);
      return called === undefined ? unless : [...unless, ...handedTo(called, at, file, seen)];
    }
    const values = nearest(file.values.get(name), within);
    if (values) return values.flatMap((each) => said(each, file, within, seen));
    const from = file.imports.get(name);
    const home = from && files.get(from.file);
    return home ? named(from.name, home, [], seen) : [];
  }

  function handedTo(called: string, at: number, file: File, seen: Set<Node>): string[] {
    const callers = [
      file,
      ...[...files.values()].filter((each) => each.imports.get(called)?.file === file.name),
    ];
    return callers.flatMap((each) =>
      each.calls
        .filter(({ callee }) => callee === called)
        .flatMap(({ node, within }) => said(node['arguments'][at], each, within, seen)),
    );
  }

  function given(name: string, file: File, seen: Set<Node>): string[] {
    const own = file.functions.get(name);
    if (own) return [...new Set(own.flatMap((each) => returns(each, file, seen)))];
    const from = file.imports.get(name);
    const home = from && files.get(from.file);
    return home ? given(from.name, home, seen) : [];
  }

  const known = new Map<Node, string[]>();
  function returns(node: Node, file: File, seen: Set<Node>): string[] {
    if (seen.has(node)) return [];
    const before = known.get(node);
    if (before) return before;
    const found = returned(node, file, seen);
    // What was cut short by the way that led here may be found on another.
    if (seen.size < 3) known.set(node, found);
    return found;
  }

  function returned(node: Node, file: File, seen: Set<Node>): string[] {
    const then = new Set(seen).add(node);
    if (node['body'].type !== 'BlockStatement') return said(node['body'], file, [node], then);
    const found = new Set<string>();
    const visit = (each: Node): void => {
      if (each.type === 'ReturnStatement')
        for (const sentence of said(each['argument'] ?? undefined, file, [node], then)) found.add(sentence);
      else if (!FUNCTIONS.includes(each.type)) for (const child of children(each)) visit(child);
    };
    visit(node['body']);
    return [...found];
  }

  /** Each of what the first words may be, with the first of what the others may be. */
  function built(node: Node, file: File, within: Node[]): string[] | null {
    const builder = BUILDERS[node['callee'].name];
    if (!builder) return null;
    const [first = [], ...others] = node['arguments'].map((each: Node) => {
      const words = said(each, file, within, new Set());
      return words.length > 0 ? words : [`{${file.text.slice(each.start, each.end)}}`];
    }) as string[][];
    return first.map((words) => builder(words, ...others.map(([other = '']) => other)));
  }

  return [...files.values()].flatMap((file) =>
    file.calls
      .filter(({ node }) => isRefusal(node) && file.name !== BUILT_IN)
      .map(({ node, within }) => {
        const sentence: Node | undefined = node['arguments'][node['callee'].name === 'Refusal' ? 2 : 0];
        return {
          file: file.name,
          line: file.text.slice(0, node.start).split('\n').length,
          source: sentence ? file.text.slice(sentence.start, sentence.end) : '',
          // A sentence has words; a code or a name of a field that was found on the way has none.
          sentences: [
            ...new Set(built(node, file, within) ?? said(sentence, file, within, new Set())),
          ].filter((each) => /\S \S/.test(each)),
        };
      }),
  );
}

/** Of constants of one name, those of the innermost function that has one. */
function nearest(values: Node[] | undefined, within: readonly Node[]): Node[] | undefined {
  for (const around of within.toReversed()) {
    const own = values?.filter(({ start, end }) => start > around.start && end < around.end);
    if (own && own.length > 0) return own;
  }
  return values;
}

function templateOf(node: Node, file: File): string {
  const { quasis, expressions } = node as unknown as { quasis: Node[]; expressions: Node[] };
  return quasis
    .map((each, at) => {
      const inner = expressions[at];
      return (
        each['value'].cooked +
        (inner ? `{${file.text.slice(inner.start, inner.end).replace(/\s+/g, ' ')}}` : '')
      );
    })
    .join('');
}
