// The seven areas and the names in them, held by reading the sources: which feature may import which, which pairs of one area lean
// on each other and why, and how often a type's or a file's name may be. Lists here only shrink.
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** Each may import itself and what is before it. */
const AREAS = ['access', 'crm', 'work', 'outreach', 'inbox', 'automation', 'instance'];

const IMPORT =
  /(?:import|export)\s+(?:type\s)?[^'"`;]*?from\s+'([^']+)'|import\(\s*'([^']+)'\s*\)|^import\s+'([^']+)'/gm;

const files = globSync('src/features/**/*.{ts,tsx}', { cwd: ROOT }).filter(
  (file) => !file.includes('.test.'),
);
const texts = new Map(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));

const featureOf = (file: string): string => file.split('/').slice(2, 4).join('/');
const areaOf = (file: string): number => AREAS.indexOf(file.split('/')[2] ?? '');

const imports = [...texts].flatMap(([file, text]) =>
  [...text.matchAll(IMPORT)]
    .map((m) => (m[1] ?? m[2] ?? m[3]) as string)
    .filter((from) => from.startsWith('.'))
    .map((from) => ({ file, target: normalize(join(dirname(file), from)) }))
    .filter(({ target }) => target.startsWith('src/features/')),
);

test('every feature is in one of the seven areas', () => {
  expect(files.filter((file) => areaOf(file) === -1)).toEqual([]);
});

test('imports point only left in the order of the areas', () => {
  const wrong = imports.filter(({ file, target }) => areaOf(target) > areaOf(file));
  expect(wrong, 'hand it in from src/features.ts, or move what both share into src/kernel').toEqual([]);
});

/** Two features of one area that need each other, and why they are two all the same. */
const PAIRS: Record<string, string> = {
  'access/groups access/users': 'a new user is put into groups by the act that invites them',
  'access/instance-mail access/users': "an invitation is a mail, and a mail is queued under its user's lock",
  'access/policies access/tokens': 'a token carries policies, and what it carries decides',
  'access/policies access/users': 'a user carries policies, and who asks is one',
  'access/sessions access/tokens': 'both draw secrets and say who calls',
  'access/sessions access/users':
    'whoever accepts an invitation is signed in, whoever is disabled signed out',
  'automation/chat automation/workflows':
    "a workflow's step is a turn of an agent, and a chat shows the workflow that asked",
  'crm/companies crm/people': 'a person works at a company, and a company lists its people',
  'crm/deals crm/people': "a deal is with people, and a person's page shows their deals",
  'crm/people crm/segments': 'a segment is a filter of people, and people are listed by segment',
  'crm/people crm/suppressions':
    'an address is shown with what stands on it, and a suppression reaches people',
  'inbox/answers inbox/threads': 'an answer is written in a thread, which shows the one that waits',
  'inbox/inbound inbox/threads': 'mail lands in threads, and what is set right there lands anew',
  'outreach/campaigns outreach/prospects': 'a prospect is somebody in a campaign, whose figures count them',
  'outreach/campaigns outreach/sequences': "a campaign's steps are its sequence, and its checks read them",
  'outreach/deliveries outreach/sends': 'a report is of a letter, and what the sender hears is a report',
  'outreach/deliveries outreach/warden': 'reports make the warden look, and its test writes reports',
  'outreach/identities outreach/sends': 'a letter goes by an identity, which shows why its letters wait',
  'outreach/prospects outreach/sends':
    "a prospect's step makes a letter, and a letter that went moves its prospect",
  'outreach/sends outreach/unsubscribes':
    'a letter carries its way out, and whoever takes it ends their letters',
  'outreach/sends outreach/vendors': 'a letter goes by a vendor, which knows it by a name of its own',
  'work/approvals work/proposals': 'a proposal waits for an approval, and an approval shows what is proposed',
  'work/approvals work/work': 'an approval may be of an item, and a board shows what waits',
};

test('two features that lean on each other are listed with the reason', () => {
  const arrows = new Set(
    imports
      .filter(({ file, target }) => featureOf(file) !== featureOf(target))
      .map(({ file, target }) => `${featureOf(file)} ${featureOf(target)}`),
  );
  const mutual = [...arrows].filter((arrow) => {
    const [one = '', other = ''] = arrow.split(' ');
    return one < other && arrows.has(`${other} ${one}`);
  });
  const within = mutual.filter(
    (pair) => new Set(pair.split(' ').map((each) => each.split('/')[0])).size === 1,
  );
  expect(within.toSorted(), 'list what is new with its reason, strike off what is gone').toEqual(
    Object.keys(PAIRS).toSorted(),
  );
});

test('no exported type has the name of one in more than two features', () => {
  const features = new Map<string, Set<string>>();
  for (const [file, text] of texts)
    for (const [, name = ''] of text.matchAll(/^export (?:type|interface|class) ([A-Z]\w*)/gm))
      features.set(name, (features.get(name) ?? new Set()).add(featureOf(file)));
  const many = [...features].filter(([, where]) => where.size > 2);
  expect(
    many.map(([name, where]) => `${name}: ${[...where].join(', ')}`),
    "give it its feature's word",
  ).toEqual([]);
});

/** Files that have the same part to play wherever they exist: ARCHITECTURE.md says what each holds. */
const STANDARD =
  /^(contract|handlers|store|rules|feature|tools|pass|words|shared|export\.handlers|save\.store|holder\.store|expiry\.pass)\.tsx?$/;

test('no file has the name of files in more than three folders', () => {
  const folders = new Map<string, string[]>();
  for (const file of files)
    if (!STANDARD.test(basename(file)))
      folders.set(basename(file), [...(folders.get(basename(file)) ?? []), dirname(file)]);
  const many = [...folders].filter(([, where]) => where.length > 3);
  expect(
    many.map(([name, where]) => `${name}: ${where.join(', ')}`),
    'call it by what it holds',
  ).toEqual([]);
});
