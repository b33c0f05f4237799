// The words that the product no longer uses, and every place where it speaks: strings of the interface, refusals, descriptions of
// operations, documents, comments, and exported names.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { refusedWith } from '../../scripts/sentences.ts';
import { interfaceStrings } from '../../scripts/ui-copy.ts';
import { features } from '../../src/features.ts';
import { HOLDS, WAITS } from '../../src/features/outreach/sends/letter/reasons.rules.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export const KINDS = ['interface', 'refusals', 'operations', 'documents', 'comments', 'names'] as const;
type Kind = (typeof KINDS)[number];

/** `file`: where it is said; `text`: the string, the line or the name. */
export type Said = { kind: Kind; file: string; text: string };

/** What people and agents read, where a word is worth more care than in a comment. */
const SPOKEN: Kind[] = ['interface', 'refusals', 'operations', 'documents'];
const PROSE: Kind[] = [...SPOKEN, 'comments'];

type Word = { pattern: RegExp; say: string; kinds: Kind[] };

const word = (pattern: RegExp, say: string, kinds = PROSE): Word => ({ pattern, say, kinds });

/** What is said no longer, and what is said instead. */
export const WORDS: Word[] = [
  word(/\bways? out\b(?! of)|\bways in\b(?! which)/i, 'outgoing mail, incoming mail'),
  word(/\blanes?\b/i, 'back-off of a connection'),
  word(/\broads?\b/i, 'source, channel, route'),
  word(/\bnews\b/i, 'change notification; updates'),
  word(/\b(?:the|a|of|our|this|every|whole) houses?\b|\bfurnish/i, 'app, dependencies'),
  word(
    /\b(?:the|a) (?:ground|premises|shelf|toolbox|scene)\b/i,
    'database, origin check, resources, tools, context',
  ),
  word(/(?<!\bside )\bdoors?\b/i, 'entry point'),
  word(/\bmade anew\b|\banew\b|\bremade\b/i, 're-rendered, regenerated, again'),
  word(/\bmend(?:s|ed)?\b/i, 'fix'),
  word(/\bset-up key\b/i, 'provisioning key'),
  word(/\b(?:take|takes|taken|took|taking) (?:(?:it|them|this|that) )?back\b/i, 'undo, revoke, withdraw'),
  word(/\bstands? (?!out\b|still\b|up\b|in for\b)|\bstood\b|\bstands?[.,;:]/i, 'is, exists, current'),
  word(/\bfigures\b/i, 'metrics, numbers'),
  word(/\bputs? away\b/i, 'dismiss, archive'),
  word(/\bbecame of\b/i, 'outcome'),
  word(/\basks? for (?:you|attention)\b/i, 'needs attention'),
  word(/\bsomebody\b|\banybody\b|\beverybody\b|\bnobody\b/i, 'someone, anyone, everyone, no one'),
  word(/\bby itself\b/i, 'automatically', SPOKEN),
  word(/\bwhoever\b/i, 'anyone who, the person who', ['interface', 'refusals', 'operations']),
  word(/\balone\b(?! )|\balone (?!in\b)/i, 'only', ['interface', 'refusals', 'operations']),
  word(/\b(?:is|are) gone\b/i, 'was deleted', ['interface', 'refusals', 'operations']),
  word(/\b(?:tells?|told)\b/i, 'notify, show', ['interface', 'refusals']),
  word(/\bthere is no such\b|\bthose there are\b/i, 'no … has that id: … lists …', SPOKEN),
  word(/\bis no (?:list|text|number|domain|tool|address|user|date|time|name)\b/i, 'is not a'),
  word(
    /[Hh]ouse|[Gg]round(?!ed)|[Ss]cene|[Ss]helf|[Tt]oolbox|[Ff]urnish|[Pp]remise|\bdoor|Door|\bnews(?!letter)|News(?!letter)|\blane|Lane|\broad|Road|[Rr]emake/,
    'app, database, context, resources, tools, entry, changes, backoff, source',
    ['names'],
  ),
];

/** The text of each comment, by line. */
export function commentsIn(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const found = /^\s*(?:\/\/|\/\*\*?|\*)\s?(.*)$/.exec(line) ?? /\s\/\/ (.*)$/.exec(line);
    return found?.[1] ? [found[1]] : [];
  });
}

const read = (file: string): string => readFileSync(`${root}${file}`, 'utf8');

const GENERATED = /^docs\/(?:ui-copy|guide\/(?:refusals|dependencies))\.md$|^CHANGELOG\.md$/;

export function said(): Said[] {
  const operations = features.flatMap(({ operations: all }) => all.map(({ operation }) => operation));
  const sources = globSync(['{src,client,scripts,test,bench}/**/*.{ts,tsx,mjs,css}'], { cwd: root }).filter(
    (file) => !/node_modules|\.gen\.ts$|test\/(?:cases|upgrade\/\d)|house\/language/.test(file),
  );
  return [
    ...interfaceStrings().map(({ file, text }): Said => ({ kind: 'interface', file, text })),
    ...refusedWith().flatMap(({ file, sentences }) =>
      sentences.map((text): Said => ({ kind: 'refusals', file, text })),
    ),
    ...operations.flatMap(({ name, who, answers, says }): Said[] =>
      [
        says,
        ...(who === 'anyone' ? [] : Object.values(who).map(String)),
        ...('instead' in answers ? [answers.instead] : []),
      ].map((text): Said => ({ kind: 'operations', file: `operation ${name}`, text })),
    ),
    ...Object.entries({ ...HOLDS, ...WAITS }).flatMap(([reason, { says, fix }]): Said[] =>
      [says, fix].map((text) => ({ kind: 'operations', file: `reason ${reason}`, text })),
    ),
    ...globSync(['*.md', 'docs/**/*.md', 'client/**/*.md', 'test/**/*.md'], { cwd: root })
      .filter((file) => !GENERATED.test(file) && !file.includes('node_modules'))
      .flatMap((file) =>
        read(file)
          .split('\n')
          .map((text): Said => ({ kind: 'documents', file, text })),
      ),
    ...sources.flatMap((file) => {
      const text = read(file);
      return [
        ...commentsIn(text).map((line): Said => ({ kind: 'comments', file, text: line })),
        ...[
          ...text.matchAll(/^export (?:default )?(?:async )?(?:const|function\*?|type|class|let) (\w+)/gm),
        ].map(([, name = '']): Said => ({ kind: 'names', file, text: name })),
      ];
    }),
  ];
}

export type Found = Said & { found: string; say: string };

export const oldWords = (all: Said[]): Found[] =>
  all.flatMap((each) =>
    WORDS.filter(({ kinds, pattern }) => kinds.includes(each.kind) && pattern.test(each.text)).map(
      ({ pattern, say }): Found => ({ ...each, found: pattern.exec(each.text)?.[0] ?? '', say }),
    ),
  );
