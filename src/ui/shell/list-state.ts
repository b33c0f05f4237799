// What a list’s address may contain: filters, order, the open record and where the list begins. In plain words, so that it can
// be read and shared; anything else is dropped.
const KEYS = [
  'query',
  'state',
  'status',
  'stage',
  'person',
  'company',
  'campaign',
  'channel',
  'reading',
  'domain',
  'from',
  'list',
  'identity',
  'kind',
  'project',
  'assignee',
  'label',
  'priority',
  'sort',
  'view',
  'open',
  'new',
  'cursor',
  'act',
  'outcome',
  'actor',
  'surface',
  'noun',
  'id',
  'since',
  'reason',
  'segment',
  'tag',
  'owner',
  'suppressed',
  'basis',
  'columns',
  'code',
  'iss',
  'refused',
] as const;

export type ListState = Partial<Record<(typeof KEYS)[number], string>>;

export function listState(search: Record<string, unknown>): ListState {
  const found: ListState = {};
  for (const key of KEYS) {
    const value = search[key];
    if (typeof value === 'string' && value !== '') found[key] = value;
  }
  return found;
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** `?to=` after signing in: a path of this product and nothing else. */
export function target(search: Record<string, unknown>): { to?: string } {
  const to = text(search['to']);
  return to && /^\/(?![/\\])/.test(to) ? { to } : {};
}

export function setUpKey(search: Record<string, unknown>): { key?: string } {
  const key = text(search['key']);
  return key ? { key } : {};
}
