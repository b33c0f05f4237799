// Tools that an in-instance agent can have: those of the app, except the ones that would start another turn or exist
// only to refuse, and three for agents only.
import type { App } from '../../../kernel/app.ts';

/** A turn starts no other turn, an agent never decides, and what it may not do it need only call to propose. */
export const NOT_FOR_AGENTS: readonly string[] = ['chat', 'approval_decide', 'propose'];

/** Inviting someone (wire act 10), and every other operation of the app by its name. */
export const FOR_AGENTS_ALONE = {
  invite_user: {
    title: 'Invite someone',
    says: 'Invites someone to this instance. A person approves it.',
  },
  find_operations: {
    title: 'Find operations',
    says: 'Finds operations of this instance by words, with the arguments that each takes.',
  },
  call_operation: {
    title: 'Call an operation',
    says: 'Calls one operation by its name, with its arguments flat. find_operations tells both.',
  },
} as const;

export const toolsForAgents = ({ tools }: Pick<App, 'tools'>): string[] => [
  ...[...tools.keys()].filter((name) => !NOT_FOR_AGENTS.includes(name)),
  ...Object.keys(FOR_AGENTS_ALONE),
];

/** The same, in words. */
export function toolsInWords(app: Pick<App, 'tools'>): { name: string; title: string; says: string }[] {
  const own: Readonly<Record<string, { title: string; says: string }>> = FOR_AGENTS_ALONE;
  return toolsForAgents(app).flatMap((name) => {
    const said = app.tools.get(name) ?? own[name];
    return said ? [{ name, title: said.title, says: said.says }] : [];
  });
}

/** As another party's tool is named: `capability__tool`. It may be named before it is there, and isn’t a tool until then. */
export const isForeignName = (name: string): boolean => /^[a-z0-9-]+__[A-Za-z0-9_-]+$/.test(name);
