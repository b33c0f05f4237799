// The kinds of records in the audit log: their names in addresses (`/activity?noun=campaign&id=…`) and in policies
// (`outreach:campaign/…`), and the entry points of calls.

export const SURFACES = ['screen', 'rest', 'mcp', 'chat', 'lua', 'workflow', 'pass', 'setup'] as const;

export const NOUNS = {
  person: 'crm:person',
  company: 'crm:company',
  deal: 'crm:deal',
  segment: 'crm:segment',
  import: 'crm:import',
  bulk: 'crm:bulk',
  campaign: 'outreach:campaign',
  prospect: 'outreach:prospect',
  send: 'outreach:send',
  domain: 'outreach:domain',
  identity: 'outreach:identity',
  suppression: 'outreach:suppression',
  thread: 'inbox:thread',
  item: 'work:item',
  project: 'work:project',
  user: 'admin:user',
  token: 'admin:token',
} as const;

export type Noun = keyof typeof NOUNS;
export const NOUN_NAMES = Object.keys(NOUNS) as [Noun, ...Noun[]];

const BY_NAME = new Map<string, Noun>(NOUN_NAMES.map((noun) => [NOUNS[noun], noun]));

/** `crm:person/<id>` → what and which; null of what has no page or is no single thing. */
export function thingOf(resource: string | null): { noun: Noun; id: string } | null {
  const [name = '', id = '', ...more] = (resource ?? '').split('/');
  const noun = BY_NAME.get(name);
  return noun !== undefined && id !== '' && more.length === 0 ? { noun, id } : null;
}

/** The least id (UUIDv7) of that moment: ids sort by birth, so a time is a place among them. */
export function firstIdAt(at: Date): string {
  const hex = Math.max(at.getTime(), 0).toString(16).padStart(12, '0').slice(-12);
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
