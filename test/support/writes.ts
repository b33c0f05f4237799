// Which tables an operation may write, read from the sources: from what is bound to it along every name that the code calls,
// across files, to the statements that it can come to. It sees more ways than there are, never fewer: whoever is called through
// a value of another feature (a holder of people, the letters of senders) is taken to be called by every such call.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

const ROOT = join(import.meta.dirname, '../..');

type Ast = { type: string; [key: string]: any };
/** One name at the top of a file, or one operation that is bound: what it mentions, calls on others, and writes itself. */
type Node = Record<'names' | 'members' | 'writes' | 'texts' | 'offers', Set<string>>;
type File = { imports: Map<string, { file: string; name: string }>; nodes: Map<string, Node> };

const WRITES = /\b(?:insert\s+into|update|delete\s+from)\s+([a-z_]+)\b/gi;
const BINDERS = ['bind', 'bindAsking', 'bindFile', 'bindCsv', 'bindStream'];

function* children(ast: Ast): Generator<Ast> {
  for (const value of Object.values(ast))
    for (const each of Array.isArray(value) ? value : [value])
      if (each && typeof each === 'object' && typeof each.type === 'string') yield each as Ast;
}

const emptyNode = (): Node => ({
  names: new Set(),
  members: new Set(),
  writes: new Set(),
  texts: new Set(),
  offers: new Set(),
});

function fileOf(path: string): File {
  const program = parseAst(readFileSync(join(ROOT, path), 'utf8'), { lang: 'ts' }) as unknown as Ast;
  const file: File = { imports: new Map(), nodes: new Map() };
  const nodeOf = (name: string): Node => {
    const known = file.nodes.get(name) ?? emptyNode();
    file.nodes.set(name, known);
    return known;
  };
  const walk = (ast: Ast, into: Node): void => {
    if (ast.type === 'CallExpression' && BINDERS.includes(ast['callee']?.name ?? '')) {
      const [operation, ...rest] = ast['arguments'] as Ast[];
      // What is bound belongs to its operation alone.
      if (operation?.type === 'Identifier')
        return rest.forEach((each) => walk(each, nodeOf(`bound ${operation['name']}`)));
    }
    if (ast.type === 'Identifier') into.names.add(ast['name'] as string);
    if (ast.type === 'MemberExpression' && ast['object']?.type === 'Identifier')
      into.members.add(`${ast['object'].name}.${ast['property']?.name}`);
    if (ast.type === 'TemplateElement')
      for (const [, table] of (ast['value'].raw as string).matchAll(WRITES)) into.writes.add(table ?? '');
    // Of a table that only the call names, as `update ${tx(table)}`, the names are in the same function.
    if (ast.type === 'Literal' && typeof ast['value'] === 'string') into.texts.add(ast['value']);
    if (ast.type === 'TemplateElement' && /\b(?:update|insert into|delete from)\s*$/i.test(ast['value'].raw))
      into.writes.add('?');
    for (const each of children(ast)) walk(each, into);
  };
  for (const statement of program['body'] as Ast[]) {
    if (statement.type === 'ImportDeclaration') {
      const from = statement['source'].value as string;
      if (from.startsWith('.'))
        for (const each of statement['specifiers'] as Ast[])
          if (each['imported'])
            file.imports.set(each['local'].name, {
              file: normalize(join(dirname(path), from)),
              name: each['imported'].name,
            });
      continue;
    }
    const declared = (statement['declaration'] as Ast | null) ?? statement;
    const parts = declared.type === 'VariableDeclaration' ? (declared['declarations'] as Ast[]) : [declared];
    for (const part of parts) {
      const node = nodeOf((part['id']?.name as string | undefined) ?? '*');
      walk(part, node);
      // Members of a value that are called elsewhere; a name or a number is not.
      if (part['init']?.type === 'ObjectExpression')
        for (const { key, value } of part['init'].properties as Ast[])
          if (key?.type === 'Identifier' && value?.type !== 'Literal') node.offers.add(key.name as string);
    }
  }
  return file;
}

/** What another feature hands over as a value: where its members exist, and what it is called where they are called. */
const HANDED_OVER = [
  { type: /\bPersonHolder\b/, called: 'holder' },
  { type: /\bLettersOfSenders\b/, called: 'letters' },
];

export type TablesWritten = { of(operation: { file: string; name: string }): Set<string> };

export function tablesWritten(): TablesWritten {
  const files = new Map<string, File>();
  const offering = new Map<string, string[]>();
  for (const path of globSync('src/{features,kernel,store}/**/*.ts', { cwd: ROOT })) {
    if (/\.test\.ts$|\.worker\.ts$/.test(path)) continue;
    files.set(path, fileOf(path));
  }
  for (const [path, { nodes }] of files) {
    const text = readFileSync(join(ROOT, path), 'utf8');
    for (const { type, called } of HANDED_OVER)
      if (type.test(text))
        for (const [name, node] of nodes)
          for (const offer of node.offers)
            offering.set(`${called}.${offer}`, [
              ...(offering.get(`${called}.${offer}`) ?? []),
              `${path}#${name}`,
            ]);
  }
  const seenFrom = (start: string[]): Set<string> => {
    const tables = new Set<string>();
    const seen = new Set<string>();
    const todo = [...start];
    for (let at = todo.pop(); at !== undefined; at = todo.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      const [path = '', name = ''] = at.split('#');
      const file = files.get(path);
      const node = file?.nodes.get(name);
      if (!file || !node) continue;
      for (const table of node.writes)
        if (table !== '?') tables.add(table);
        else for (const text of node.texts) if (/^[a-z_]+$/.test(text)) tables.add(text);
      for (const used of node.names) {
        const from = file.imports.get(used);
        if (from) todo.push(`${from.file}#${from.name}`);
        else if (file.nodes.has(used)) todo.push(`${path}#${used}`);
      }
      for (const member of node.members) todo.push(...(offering.get(member) ?? []));
    }
    return tables;
  };
  const bound = new Map<string, string[]>();
  for (const [path, { imports, nodes }] of files)
    for (const name of nodes.keys()) {
      if (!name.startsWith('bound ')) continue;
      const operation = name.slice('bound '.length);
      const from = imports.get(operation) ?? { file: path, name: operation };
      const key = `${from.file}#${from.name}`;
      bound.set(key, [...(bound.get(key) ?? []), `${path}#${name}`]);
    }
  return {
    of: ({ file, name }) => {
      const starts = bound.get(`${file}#${name}`);
      if (!starts) throw new Error(`${name} of ${file} is bound nowhere that this can see`);
      return seenFrom(starts);
    },
  };
}
