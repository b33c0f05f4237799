// The two tools that find things: routes by words, and records of every kind.
import { z } from 'zod';
import { READS, tool, type Tool } from '../../../kernel/tool.ts';
import { searchFind } from './contract.ts';
import { routeFind } from './routes.contract.ts';

const takes = z.strictObject({ query: z.string(), limit: z.int().optional() });

export const searchTools: Tool[] = [
  tool({
    name: 'api_routes',
    title: 'Find a route',
    says: 'Finds routes for api_request by words: method, path, what each does, arguments (* required). Lists also take limit, cursor and fields.',
    hints: READS,
    takes,
    example: { query: 'private note on a thread' },
    calls: [routeFind],
    pick: (args) => ({ operation: routeFind, arguments: args }),
  }),
  tool({
    name: 'search',
    title: 'Search everything',
    says: 'Finds people, companies, campaigns, deals, threads and work items by their words, with ids and open_at, the screen of each.',
    hints: READS,
    takes,
    example: { query: 'roe' },
    calls: [searchFind],
    pick: (args) => ({ operation: searchFind, arguments: args }),
  }),
];
