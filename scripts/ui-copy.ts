// docs/ui-copy.md, generated from the screens’ sources: every interface string by area, feature and file, so that one reader can
// edit the product’s copy from top to bottom. Braces mark what is filled in.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));

// oxlint-disable-next-line typescript/no-explicit-any -- the tree's own types, a hundred kinds, are not worth their weight here
type Node = { type: string; start: number; end: number; [key: string]: any };

export type Copy = { file: string; line: number; text: string };

/** Attributes that hold names for programs. */
const NOT_READ =
  /^(?:className|class|id|htmlFor|type|name|role|href|to|from|key|rel|target|method|action|autoComplete|inputMode|kind|tone|size|variant|icon|as|scope|pattern|accept|lang|dir|d|viewBox|fill|stroke|style|data-.*|aria-(?:live|current|haspopup|controls|describedby|labelledby|sort|autocomplete|atomic|relevant|expanded|pressed|checked|selected|hidden|busy|invalid|orientation|activedescendant|owns|modal))$/;

/** Strings in these places are compared or looked up, never shown. */
const LOOKED_UP = [
  'BinaryExpression',
  'SwitchCase',
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ImportExpression',
];

/** Components that write a value into the sentence around them. */
const WRITES: Readonly<Record<string, string>> = {
  Time: '{time}',
  Lasting: '{duration}',
  Principal: '{name}',
  PriorityWord: '{priority}',
  ChangeWords: '{change}',
  Arrow: '{change}',
  KeyHint: '{key}',
};

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const children = (node: Node): Node[] =>
  Object.entries(node).flatMap(([, value]) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );

/** Words for people start with a capital or have a space between them; names for programs do neither. */
const isCopy = (text: string): boolean =>
  /\p{L}{2}/u.test(text) &&
  !/^\w*\p{Ll}\p{Lu}\w*$/u.test(text) &&
  (/^[^\p{L}]*\p{Lu}\p{Ll}/u.test(text) || /[\p{L}},.] \p{L}|\p{L} \{/u.test(text));

const tidy = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

export function copyIn(name: string, text: string): Copy[] {
  const found: Copy[] = [];
  const add = (at: Node, said: string): void => {
    const tidied = tidy(said);
    if (isCopy(tidied))
      found.push({ file: name, line: text.slice(0, at.start).split('\n').length, text: tidied });
  };

  /** A value by the last name in it. */
  const filled = (node: Node): string => {
    const source = text.slice(node.start, node.end);
    const last = /(\w+)(?:\([^()]*\))?$/.exec(source)?.[1];
    return last && /[a-z]/.test(last) ? `{${last}}` : '{…}';
  };

  const template = (node: Node): string =>
    node['quasis']
      .map((each: Node, at: number) => {
        const inner = node['expressions'][at];
        return each['value'].cooked + (inner ? filled(inner) : '');
      })
      .join('');

  /** What a component without children writes; an icon writes nothing. */
  const drawn = (node: Node): string => WRITES[node['openingElement']?.name.name] ?? '';

  /** One sentence, although marks and values are in it. */
  const inline = (node: Node): string => {
    if (node.type === 'JSXText') return node['value'];
    if (node.type === 'JSXElement' || node.type === 'JSXFragment')
      return node['children'].length > 0 ? node['children'].map(inline).join('') : drawn(node);
    if (node.type !== 'JSXExpressionContainer') return '';
    const { expression } = node as unknown as { expression: Node };
    if (expression.type === 'Literal') return String(expression['value']);
    if (expression.type === 'TemplateLiteral') return template(expression);
    visit(expression);
    return expression.type === 'JSXEmptyExpression' ? '' : filled(expression);
  };

  const visit = (node: Node): void => {
    if (node.type.startsWith('TS') && !/^TS(?:As|Satisfies|NonNull)Expression$/.test(node.type)) return;
    switch (node.type) {
      case 'JSXElement':
      case 'JSXFragment': {
        for (const each of node['openingElement']?.attributes ?? []) visit(each);
        const spoken = node['children'].some(
          (each: Node) => each.type === 'JSXText' && /\p{L}/u.test(each['value']),
        );
        if (spoken) add(node, inline(node));
        else for (const each of node['children']) visit(each);
        return;
      }
      case 'JSXAttribute':
        if (!NOT_READ.test(node['name'].name ?? '') && node['value']) visit(node['value']);
        return;
      case 'Literal':
        if (typeof node['value'] === 'string') add(node, node['value']);
        return;
      case 'TemplateLiteral':
        add(node, template(node));
        for (const each of node['expressions']) visit(each);
        return;
      case 'Property':
        visit(node['value']);
        return;
      case 'MemberExpression':
        visit(node['object']);
        return;
      default: {
        const looked = LOOKED_UP.includes(node.type) && node['operator'] !== '+';
        for (const each of children(node))
          if (!looked || !['Literal', 'TemplateLiteral'].includes(each.type)) visit(each);
      }
    }
  };
  visit(parseSync(name, text).program as unknown as Node);
  return found;
}

export const interfaceStrings = (): Copy[] =>
  globSync(['src/features/*/*/screens/**/*.{ts,tsx}', 'src/ui/**/*.{ts,tsx}'], { cwd: root })
    .filter((name) => !/\.test\.tsx?$|\.gen\.ts$/.test(name))
    .toSorted()
    .flatMap((name) => copyIn(name, readFileSync(join(root, name), 'utf8')));

const AREAS = ['access', 'crm', 'work', 'outreach', 'inbox', 'automation', 'instance', 'ui'];

export function copyPage(): string {
  const parts = new Map<string, Map<string, Set<string>>>();
  for (const { file, text } of interfaceStrings()) {
    const [, room = '', area = '', feature = ''] = file.split('/');
    const part = room === 'features' ? `${area} › ${feature}` : `ui › ${area}`;
    const screen = file
      .split('/')
      .slice(room === 'features' ? 5 : 3)
      .join('/');
    const files = parts.get(part) ?? new Map<string, Set<string>>();
    files.set(screen, (files.get(screen) ?? new Set()).add(text));
    parts.set(part, files);
  }
  const order = (part: string): number => AREAS.indexOf(part.split(' ')[0] ?? '');
  return [
    '# Interface copy',
    '',
    'Generated by `npm run generate` from the screens: every string that a person can read, by feature and file. Braces mark what is filled in.',
    '',
    ...[...parts]
      .toSorted(([a], [b]) => order(a) - order(b) || (a < b ? -1 : 1))
      .flatMap(([part, files]) => [
        `## ${part}`,
        '',
        ...[...files].flatMap(([screen, said]) => [
          `### ${screen}`,
          '',
          ...[...said].map((text) => `- ${text.replaceAll(/[<>*_`|[\]]/g, String.raw`\$&`)}`),
          '',
        ]),
      ]),
  ].join('\n');
}
