// What a policy may contain: the catalog of actions, and the check when it is saved. A typing error must not silently deny or
// allow (domain.md §1.13). Pure.
import { type Statement, actionMatches } from '../../../kernel/policy.ts';

const BASE = ['read', 'create', 'write', 'delete'];

/** Nouns and the acts of their own that are beside the four verbs. */
const NOUNS: Record<string, string[]> = {
  'outreach.campaign': ['activate', 'pause', 'archive', 'review', 'clone'],
  'outreach.sequence': [],
  'outreach.prospect': ['enrol', 'hold', 'release', 'remove', 'spine'],
  'outreach.send': ['approve', 'return', 'reject', 'cancel', 'hold', 'recheck', 'resolve', 'resend'],
  'outreach.letter': [],
  'outreach.domain': ['check', 'pause', 'resume', 'retire'],
  'outreach.identity': ['test', 'activate', 'deactivate'],
  'outreach.suppression': ['lift'],
  'outreach.verify': ['check', 'send'],
  'outreach.vendor': ['register', 'rotate', 'unregister'],
  'outreach.template': [],
  'outreach.stats': [],
  'outreach.inbound': [],
  'crm.person': ['export', 'merge', 'erase'],
  'crm.company': [],
  'crm.segment': [],
  'crm.deal': [],
  'crm.import': ['rollback'],
  'crm.field': [],
  'crm.pipeline': [],
  'inbox.thread': ['answer', 'send', 'merge', 'split'],
  'mail.message': [],
  'work.project': [],
  'work.item': ['move', 'claim'],
  'work.comment': [],
  approval: ['decide'],
  chat: ['turn'],
  workflow: ['activate', 'deactivate', 'run'],
  run: ['cancel', 'retry'],
  account: [],
  digest: [],
  'admin.user': ['invite', 'disable'],
  'admin.group': [],
  'admin.policy': [],
  'admin.token': [],
  'admin.audit': [],
  'admin.event': ['webhook', 'rotate', 'redeliver'],
  'admin.provider': ['test', 'save_keys', 'delete_keys'],
  'admin.agent': [],
  'admin.capability': ['connect', 'consent', 'disconnect', 'refresh'],
  'admin.setting': [],
  'admin.script': ['run'],
  'admin.health': [],
};

/** Minting is in no policy but the administrator's (domain.md §4). */
export const MINT = 'admin.token.mint';

const AREAS = [...new Set(Object.keys(NOUNS).map((noun) => noun.split('.')[0]))].join('|');
const RESOURCE = new RegExp(`^(\\*|(${AREAS}):(\\*|[A-Za-z0-9_./-]+\\*?))$`);

/** Keys of projects are capitals: a name in other letters would silently be no one's. */
const OF_PROJECT = /^work:project\/(?!([A-Z][A-Z0-9]*)?\*?$)/;

/** Every action a policy may name: the catalogue and what the declared operations need. */
export function knownActions(declared: Iterable<string>): string[] {
  const catalogue = Object.entries(NOUNS).flatMap(([noun, acts]) =>
    [...BASE, ...acts].map((verb) => `${noun}.${verb}`),
  );
  return [...new Set([...catalogue, ...declared])].filter((action) => action !== MINT).sort();
}

/** What is wrong with these statements, in a sentence that names it; null where they can be saved. */
export function faultOf(statements: Statement[], known: string[]): string | null {
  for (const { actions, resources } of statements) {
    if (actions.includes(MINT))
      return `${MINT} can’t be granted by a policy: only administrators can mint tokens`;
    const action = actions.find((pattern) => !namesSomething(pattern, known));
    if (action !== undefined)
      return `no such action "${action.slice(0, 60)}": an action is area.noun.verb, such as work.item.move or crm.*.read`;
    const resource = resources.find((pattern) => !RESOURCE.test(pattern));
    if (resource !== undefined)
      return `"${resource.slice(0, 60)}" is not a resource: use *, or area:noun/id, such as work:project/OUT or outreach:campaign/*`;
    const project = resources.find((pattern) => OF_PROJECT.test(pattern));
    if (project !== undefined)
      return `"${project.slice(0, 60)}" is not a project: use its key in capitals, such as work:project/OUT`;
  }
  return null;
}

const namesSomething = (pattern: string, known: string[]): boolean =>
  /^(\*|[a-z_]+)(\.(\*|[a-z_]+))*$/.test(pattern) && known.some((action) => actionMatches(pattern, action));
