// Words people use instead of those in operation names. The words of a group mean the same when searching for a route.

/** The first word of a group is the one that the operations use. */
const GROUPS = [
  ['send', 'letter', 'email', 'mail', 'message'],
  ['suppress', 'suppression', 'unsubscribe', 'blocklist', 'block', 'stop', 'optout', 'donotcontact'],
  ['lift', 'unsuppress', 'unblock'],
  ['thread', 'conversation', 'inbox', 'discussion'],
  ['touch', 'call', 'note', 'log', 'sms'],
  ['note', 'comment', 'remark', 'private', 'internal'],
  ['item', 'card', 'task', 'ticket', 'issue', 'todo', 'work'],
  ['project', 'board'],
  ['assignee', 'assign', 'owner', 'responsible', 'give'],
  ['person', 'people', 'contact', 'lead', 'recipient', 'prospect'],
  ['prospect', 'enrolled', 'spine', 'stage'],
  ['enrol', 'enroll', 'add'],
  ['company', 'organization', 'organisation', 'account', 'firm'],
  ['identity', 'sender', 'mailbox', 'from'],
  ['domain', 'warden', 'dns', 'dkim', 'spf', 'dmarc'],
  ['record', 'dns'],
  ['answer', 'reply', 'respond', 'response', 'draft'],
  ['reading', 'reply', 'classify', 'sentiment', 'meaning'],
  ['deal', 'opportunity', 'pipeline', 'sale', 'revenue'],
  ['state', 'won', 'lost', 'close', 'win', 'lose'],
  ['approval', 'review', 'waiting', 'pending', 'decision'],
  ['approve', 'accept', 'release'],
  ['return', 'returned', 'rewrite'],
  ['decide', 'decision', 'approve', 'reject'],
  ['hold', 'held', 'stuck', 'blocked', 'stopped'],
  ['recheck', 'retry', 'release'],
  ['pause', 'stop', 'halt', 'suspend'],
  ['resume', 'unpause', 'restart', 'continue'],
  ['activate', 'start', 'launch', 'begin'],
  ['preflight', 'check', 'ready', 'readiness'],
  ['forecast', 'estimate', 'projection', 'finish'],
  ['stats', 'metric', 'figure', 'number', 'statistic', 'count', 'rate', 'report'],
  ['overview', 'metric', 'summary', 'attention', 'performance'],
  ['sequence', 'step', 'drip', 'cadence', 'follow', 'followup'],
  ['snippet', 'canned', 'saved'],
  ['template', 'reusable'],
  ['quarantine', 'unmatched', 'unknown', 'spam', 'orphan', 'belong', 'nowhere'],
  ['snooze', 'snoozed', 'remind', 'later', 'postpone'],
  ['merge', 'duplicate', 'combine', 'dedupe'],
  ['segment', 'filter', 'audience', 'saved'],
  ['import', 'upload', 'csv', 'excel', 'spreadsheet', 'list'],
  ['rollback', 'undo', 'revert'],
  ['export', 'csv', 'download', 'file'],
  ['verify', 'verification', 'deliverable', 'validate', 'check'],
  ['webhook', 'callback', 'vendor'],
  ['event', 'webhook', 'delivery'],
  ['redeliver', 'resend', 'again'],
  ['activity', 'audit', 'history', 'log', 'happened', 'changed', 'yesterday', 'today'],
  ['timeline', 'history', 'happened'],
  ['token', 'key', 'credential'],
  ['user', 'colleague', 'teammate', 'member', 'staff'],
  ['invite', 'invitation', 'colleague', 'teammate'],
  ['policy', 'permission', 'right', 'access', 'role'],
  ['provider', 'model', 'key'],
  ['workflow', 'automation', 'rule'],
  ['run', 'execution', 'job'],
  ['capability', 'tool', 'mcp', 'server'],
  ['agent', 'assistant', 'bot'],
  ['due', 'overdue', 'deadline', 'late'],
  ['cancel', 'withdraw', 'abort'],
  ['resend', 'again', 'retry', 'failed'],
  ['resolve', 'uncertain', 'outcome'],
  ['remove', 'delete', 'take', 'off'],
  ['delete', 'remove', 'destroy', 'erase'],
  ['erase', 'gdpr', 'privacy', 'forget'],
  ['create', 'add', 'new', 'make', 'write', 'open'],
  ['update', 'change', 'edit', 'set', 'rename', 'modify', 'move'],
  ['list', 'show', 'find', 'all', 'which', 'see'],
  ['read', 'get', 'show', 'view', 'see', 'detail', 'one'],
  ['claim', 'take', 'pick', 'next'],
  ['pool', 'sender', 'identity'],
  ['postal', 'physical', 'imprint'],
  ['form', 'website', 'web'],
  ['me', 'whoami', 'myself', 'am'],
  ['setting', 'configuration', 'preference', 'option'],
  ['notification', 'alert'],
  ['health', 'broken', 'status', 'problem', 'trouble'],
  ['evidence', 'why', 'reason', 'bounce', 'complaint'],
  ['tag', 'label'],
  ['view', 'saved'],
  ['search', 'find', 'look'],
  ['password', 'signin', 'login'],
] as const;

const byWord = new Map<string, Set<string>>();
for (const group of GROUPS)
  for (const word of group) {
    const others = byWord.get(stem(word)) ?? new Set<string>();
    for (const each of group) if (each !== word) others.add(stem(each));
    byWord.set(stem(word), others);
  }

/** What else is meant by a word that was stemmed. */
export const synonymsOf = (stemmed: string): ReadonlySet<string> => byWord.get(stemmed) ?? NONE;
const NONE: ReadonlySet<string> = new Set();

/** The word without the endings of plurals and tenses: enough to match `returned` with `return`, and no grammar. */
export function stem(word: string): string {
  if (word.length < 4) return word;
  const one = singular(word);
  const ending = ['ing', 'ed'].find((each) => one.endsWith(each)) ?? '';
  const bare = one.slice(0, one.length - ending.length);
  if (bare.length < 3) return word;
  const last = bare.at(-1) ?? '';
  const isDoubled = bare.at(-2) === last && 'bdgklmnprt'.includes(last);
  return isDoubled || last === 'e' ? bare.slice(0, -1) : bare;
}

function singular(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (['sses', 'shes', 'ches', 'xes'].some((each) => word.endsWith(each))) return word.slice(0, -2);
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}
