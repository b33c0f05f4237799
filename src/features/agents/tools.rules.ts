// Which tools an in-instance agent can have: those of the house, save what would start another turn or is there to say no,
// and three that exist for agents alone.
import type { House } from '../../kernel/house.ts';

/** A turn starts no other turn, and an agent never decides. */
export const NOT_FOR_AGENTS: readonly string[] = ['chat', 'approval_decide'];

/** Inviting somebody (wire act 10), and every other operation of the house by its name. */
export const FOR_AGENTS_ALONE: readonly string[] = ['invite_user', 'find_operations', 'call_operation'];

export const toolsForAgents = ({ tools }: Pick<House, 'tools'>): string[] => [
  ...[...tools.keys()].filter((name) => !NOT_FOR_AGENTS.includes(name)),
  ...FOR_AGENTS_ALONE,
];

/** As another party's tool is named: `capability__tool`. It may be named before it is there, and is no tool until it is. */
export const isForeignName = (name: string): boolean => /^[a-z0-9-]+__[A-Za-z0-9_-]+$/.test(name);
