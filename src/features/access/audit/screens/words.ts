// Words for what the activity names: outcomes, the routes a call comes on, acts, and where things have their screens.
import type { Tone } from '../../../../ui/kit/pills.tsx';
import type { ActivityRow } from '../contract.ts';
import { type Noun, NOUN_NAMES, SURFACES as SOURCES, thingOf } from '../nouns.rules.ts';

export const OUTCOMES = ['done', 'refused', 'invalid', 'fault'] as const;

export const OUTCOME: Record<(typeof OUTCOMES)[number], { title: string; tone: Tone }> = {
  done: { title: 'Done', tone: 'good' },
  refused: { title: 'Refused', tone: 'warn' },
  invalid: { title: 'Invalid input', tone: 'mute' },
  fault: { title: 'Error', tone: 'bad' },
};

/** As people look for it: an invalid argument is no refusal of a right or a rule. */
export const outcomeOf = ({ outcome, code }: Pick<ActivityRow, 'outcome' | 'code'>) =>
  outcome === 'refused' && code === 'invalid' ? 'invalid' : outcome;

export const SURFACES = SOURCES;

export const SURFACE: Record<string, string> = {
  screen: 'Screen',
  rest: 'REST',
  mcp: 'Tool endpoint',
  chat: 'Chat',
  lua: 'Script',
  workflow: 'Workflow',
  pass: 'Background job',
  setup: 'Setup',
};

/** `item_move` → "item move": an act reads as its noun and verb. */
export const words = (act: string): string => act.replaceAll('_', ' ');

export const NOUN: Record<Noun, string> = {
  person: 'Person',
  company: 'Company',
  deal: 'Deal',
  segment: 'Segment',
  import: 'Import',
  bulk: 'Bulk action',
  campaign: 'Campaign',
  prospect: 'Prospect',
  send: 'Letter',
  domain: 'Domain',
  identity: 'Identity',
  suppression: 'Suppression',
  thread: 'Conversation',
  item: 'Work item',
  project: 'Project',
  user: 'User',
  token: 'Token',
};
export const NOUNS = NOUN_NAMES;

const PLACE: Partial<Record<Noun, (id: string, key: string | null) => string>> = {
  person: (id) => `/people/${id}`,
  company: (id) => `/companies/${id}`,
  deal: (id) => `/deals/${id}`,
  import: (id) => `/people/imports/${id}`,
  bulk: (id) => `/people/bulk/${id}`,
  campaign: (id) => `/campaigns/${id}`,
  send: (id) => `/sends/${id}`,
  domain: (id) => `/settings/domains/${id}`,
  identity: (id) => `/settings/identities/${id}`,
  thread: (id) => `/inbox?open=${id}`,
  item: (_, key) => (key === null ? '/work' : `/work/${key.slice(0, key.lastIndexOf('-'))}/${key}`),
  project: (id) => `/work/${encodeURIComponent(id)}`,
  user: (id) => `/settings/users?open=${id}`,
  token: (id) => `/settings/api?open=${id}`,
};

export type About = { words: string; place: string | null };

/** What an entry is about, as people say it, and where it exists. */
export function aboutOf({ record, resource }: Pick<ActivityRow, 'record' | 'resource'>): About | null {
  if (record) {
    const name = record.key === null ? record.title : `${record.key} ${record.title}`;
    return { words: name, place: PLACE[record.noun]?.(record.id, record.key) ?? null };
  }
  const thing = thingOf(resource);
  if (thing?.noun === 'project') return { words: thing.id, place: PLACE.project?.(thing.id, null) ?? null };
  return thing ? { words: `a ${NOUN[thing.noun].toLowerCase()}`, place: null } : null;
}

export const SEAL = {
  title: 'Audit log seal',
  says: 'Every five minutes of the audit log are sealed into a chain of hashes. Keep the newest hash outside this instance: `dunnock verify audit` then shows whether a row was changed, added or removed.',
  none: 'Nothing is sealed yet. The first seal is made about ten minutes after the first entry.',
  until: (number: number) => `Seal ${number} covers all entries before`,
  head: 'Newest hash',
};
