// The tools of an agent of the house: those of the endpoint, and three for agents alone: inviting somebody (wire act 10), and
// finding and calling any operation by its name.
import { z } from 'zod';
import type { House } from '../../kernel/house.ts';
import type { AnyOperation } from '../../kernel/operation.ts';
import { parseArguments } from '../../kernel/parse.ts';
import { notFound } from '../../kernel/refusal.ts';
import type { ToolCall } from '../../kernel/tool.ts';
import type { ToolSpec } from '../agents/model.ts';
import { toolsForAgents } from '../agents/tools.rules.ts';
import { userInvite } from '../users/contract.ts';

/** What a call comes to: an operation with its arguments, or an answer that needs none. */
export type Picked = ToolCall | { answer: unknown };

type Offered = {
  spec: ToolSpec;
  /** Every operation that it may call, where that is known before its arguments. */
  calls: readonly AnyOperation[];
  pick(house: House, args: Record<string, unknown>): Picked;
};

const schemaOf = (takes: z.ZodObject): Record<string, unknown> => {
  const { $schema: _, ...schema } = z.toJSONSchema(takes, { io: 'input', unrepresentable: 'any' });
  return schema;
};

const findTakes = z.strictObject({ words: z.string().trim().min(1).max(200) });
const callTakes = z.strictObject({
  operation: z.string().min(1).max(100),
  arguments: z.record(z.string(), z.unknown()).default({}),
});
const MOST_FOUND = 8;

const OWN: Record<string, Offered> = {
  invite_user: {
    spec: {
      name: 'invite_user',
      says: 'Invites somebody to this instance. A person approves it.',
      schema: schemaOf(userInvite.takes),
    },
    calls: [userInvite],
    pick: (_, args) => ({ operation: userInvite, arguments: args }),
  },
  find_operations: {
    spec: {
      name: 'find_operations',
      says: 'Finds operations of this instance by words, with the arguments that each takes.',
      schema: schemaOf(findTakes),
    },
    calls: [],
    pick: (house, args) => ({ answer: found(house, parseArguments(findTakes, args)['words'] as string) }),
  },
  call_operation: {
    spec: {
      name: 'call_operation',
      says: 'Calls one operation by its name, with its arguments flat. find_operations tells both.',
      schema: schemaOf(callTakes),
    },
    calls: [],
    pick(house, args) {
      const { operation: name, arguments: given } = parseArguments(callTakes, args) as z.output<
        typeof callTakes
      >;
      const bound = house.bound.get(name);
      if (!bound) throw notFound('no operation has that name: find_operations finds them by words');
      return { operation: bound.operation, arguments: given };
    },
  },
};

/** `allowed`: names, or null for all that there are. What is not offered cannot be called. */
export function offeredTools(house: House, allowed: readonly string[] | null): Map<string, Offered> {
  const names = toolsForAgents(house).filter((name) => allowed === null || allowed.includes(name));
  return new Map(
    names.flatMap((name): [string, Offered][] => {
      const own = OWN[name];
      if (own) return [[name, own]];
      const tool = house.tools.get(name);
      if (!tool) return [];
      const spec = { name, says: tool.says, schema: schemaOf(tool.takes) };
      return [
        [name, { spec, calls: tool.calls, pick: (_, args) => tool.pick(parseArguments(tool.takes, args)) }],
      ];
    }),
  );
}

function found(house: House, words: string): unknown {
  const wanted = words
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((each) => each.length > 1);
  const rank = ({ name, says, path }: AnyOperation): number =>
    wanted.reduce(
      (sum, word) =>
        sum +
        (name.includes(word) ? 3 : 0) +
        (path.includes(word) ? 2 : 0) +
        (says.toLowerCase().includes(word) ? 1 : 0),
      0,
    );
  return house.operations
    .filter((op) => 'json' in op.answers)
    .map((op) => ({ op, points: rank(op) }))
    .filter(({ points }) => points > 0)
    .toSorted((a, b) => b.points - a.points)
    .slice(0, MOST_FOUND)
    .map(({ op }) => ({ operation: op.name, says: op.says, effect: op.effect, takes: schemaOf(op.takes) }));
}
