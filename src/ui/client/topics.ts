// Groups of queries. Every operation reads or changes a topic, and some acts change several. Change notifications and finished
// acts mark a topic’s queries as stale.
import { type Query, QueryClient } from '@tanstack/react-query';
import { ApiError, type OperationName } from './call.ts';

export type Topic =
  | 'threads'
  | 'sends'
  | 'domains'
  | 'identities'
  | 'vendors'
  | 'capabilities'
  | 'forms'
  | 'providers'
  | 'campaigns'
  | 'prospects'
  | 'deals'
  | 'fields'
  | 'work'
  | 'approvals'
  | 'chat'
  | 'agents'
  | 'users'
  | 'groups'
  | 'policies'
  | 'tokens'
  | 'notifications'
  | 'me'
  | 'settings'
  | 'events'
  | 'people'
  | 'imports'
  | 'bulk'
  | 'companies'
  | 'segments'
  | 'suppressions'
  | 'workflows'
  | 'audit'
  | 'today'
  | 'auth';

const BY_NOUN: Record<string, Topic> = {
  thread: 'threads',
  inbox: 'threads',
  touch: 'threads',
  answer: 'threads',
  snippet: 'threads',
  mail: 'threads',
  inbound: 'threads',
  quarantine: 'threads',
  send: 'sends',
  sends: 'sends',
  letter: 'sends',
  domain: 'domains',
  identity: 'identities',
  postal: 'identities',
  vendor: 'vendors',
  capability: 'capabilities',
  form: 'forms',
  provider: 'providers',
  campaign: 'campaigns',
  sequence: 'campaigns',
  template: 'campaigns',
  attachment: 'campaigns',
  outreach: 'campaigns',
  prospect: 'prospects',
  deal: 'deals',
  pipeline: 'deals',
  field: 'fields',
  project: 'work',
  item: 'work',
  comment: 'work',
  claim: 'work',
  assignee: 'work',
  approval: 'approvals',
  approvals: 'approvals',
  chat: 'chat',
  agent: 'agents',
  model: 'agents',
  user: 'users',
  group: 'groups',
  policy: 'policies',
  token: 'tokens',
  notification: 'notifications',
  notifications: 'notifications',
  me: 'me',
  settings: 'settings',
  health: 'settings',
  events: 'events',
  audit: 'audit',
  activity: 'audit',
  today: 'today',
  search: 'today',
  auth: 'auth',
  person: 'people',
  people: 'people',
  import: 'imports',
  bulk: 'bulk',
  company: 'companies',
  segment: 'segments',
  suppression: 'suppressions',
  workflow: 'workflows',
  run: 'workflows',
};

/** Topics that an act of the first changes too. */
const ALSO: Partial<Record<Topic, Topic[]>> = {
  domains: ['identities', 'sends'],
  identities: ['domains', 'sends'],
  providers: ['vendors', 'identities', 'agents'],
  campaigns: ['prospects'],
  prospects: ['campaigns'],
  work: ['approvals'],
  approvals: ['work'],
  users: ['groups', 'policies', 'tokens'],
  groups: ['users', 'policies'],
  policies: ['users', 'groups'],
  tokens: ['policies', 'users'],
  notifications: ['me'],
  people: ['companies', 'segments'],
  imports: ['people', 'companies', 'segments', 'suppressions'],
  bulk: ['people', 'companies', 'segments', 'suppressions'],
  companies: ['people'],
  segments: ['people'],
  suppressions: ['people'],
};

export const topicOf = (name: OperationName): Topic => BY_NOUN[name.slice(0, name.indexOf('_'))] ?? 'me';

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 20_000,
      // A refusal is an answer; only what did not reach the product, or found it starting, is tried again.
      retry: (count, error) =>
        count < 2 && error instanceof ApiError && (error.status === 0 || error.status === 503),
    },
    // Without a network an act says so at once; one that waited for it would be done when no one thinks of it any more.
    mutations: { retry: false, networkMode: 'always' },
  },
});

const stale = (
  topics: Topic[],
  only: (query: Query) => boolean = () => true,
  cancelRefetch = true,
): Promise<void> =>
  queries.invalidateQueries(
    { predicate: (query) => topics.includes(query.queryKey[0] as Topic) && only(query) },
    { cancelRefetch },
  );

/** What shows a little of everything is read again at most so often, however much is told. */
const MIXED_EVERY_MS = 400;
let mixed: ReturnType<typeof setTimeout> | undefined;
const staleMixed = (): void => {
  mixed ??= setTimeout(() => {
    mixed = undefined;
    void stale(['audit', 'today']);
  }, MIXED_EVERY_MS);
};

export const staleAfter = (name: OperationName, more: Topic[] = []): Promise<void> => {
  const own = topicOf(name);
  staleMixed();
  return stale([own, ...(ALSO[own] ?? []), ...more]);
};

export const staleAll = (): Promise<void> => queries.invalidateQueries();

/** The project that a board, an item or a list of one project shows; null where it may show any. */
function projectShown(query: Query): string | null {
  const data = query.state.data as { project?: { id?: string }; item?: { project_id?: string } } | undefined;
  return data?.project?.id ?? data?.item?.project_id ?? null;
}

/** The one conversation that a query reads; undefined where it lists or counts them. */
function threadShown(query: Query): unknown {
  const args = query.queryKey[2] as { thread?: string; thread_id?: string } | undefined;
  return args?.thread ?? args?.thread_id;
}

const thick = new Set<Topic>();
let gathering: ReturnType<typeof setInterval> | undefined;

/** While this tab changes many, notifications are gathered and sent every so often: what shows them is not read again for each. */
export function gatherChanges(ms: number | null): void {
  const tell = (): void => {
    // A long list may take longer to read than until the next time: it is let end, and read once more when all is over.
    if (thick.size > 0) void stale([...thick], undefined, gathering === undefined);
    thick.clear();
  };
  clearInterval(gathering);
  gathering = ms === null ? undefined : setInterval(tell, ms);
  if (ms === null) tell();
}

/**
 * Change notifications (topic, id): what shows it is fetched again. For `work` the id is the project's, and other projects are left alone; for
 * `threads` and `chat` it is the conversation's, and other conversations are.
 */
export function heard(topic: string, id: string): Promise<void> {
  // `events_due` and `events_webhook` are told apart by passes alone: for screens both are `events`.
  const noun = topic.split('_')[0] ?? topic;
  const known = BY_NOUN[noun] ?? Object.values(BY_NOUN).find((one) => one === noun);
  if (!known) return staleAll();
  staleMixed();
  if (gathering !== undefined) {
    thick.add(known);
    return Promise.resolve();
  }
  return stale([known], (query) => {
    const shown =
      topic === 'work'
        ? projectShown(query)
        : (topic === 'threads' || topic === 'chat') && id
          ? threadShown(query)
          : null;
    return (shown ?? id) === id;
  });
}
