// The path gate of the request tools: one pure function that admits a path byte for byte or names why not. Nothing is
// decoded, normalised or coerced; what is not in the literal alphabet reaches nothing (interface specification §7).
import * as says from '../../kernel/sentences.ts';
import { isCanonical } from '../router.ts';

export type RequestTool = 'api_request' | 'admin_request';

export type Verdict = { admitted: true; path: string } | { admitted: false; sentence: string };

const refuse = (sentence: string): Verdict => ({ admitted: false, sentence });

/** GET routes outside /api/admin/ that admin_request reaches. */
const ADMIN_EXTRAS = ['/api/agents', '/api/models', '/api/settings'];

// Routes that stream, and the endpoint itself, in any letter case and with anything below them.
const CLOSED: [pattern: RegExp, sentence: string][] = [
  [/^\/api\/mcp(\/|$)/i, says.NO_API_MCP],
  [/^\/api\/chat(\/|$)/i, says.CHAT_STREAMS],
  [/^\/api\/events(\/|$)/i, says.EVENTS_STREAM],
  [/^\/api\/threads\/[^/]+\/attach$/i, says.ATTACH_STREAMS],
  [/^\/api\/workflows\/runs\/[^/]+\/events$/i, says.RUN_EVENTS_STREAM],
];

export function pathGate(tool: RequestTool, method: string, path: unknown): Verdict {
  return tool === 'api_request' ? apiGate(path) : adminGate(method, path);
}

function apiGate(path: unknown): Verdict {
  if (typeof path !== 'string') return refuse(says.PATH_NOT_CANONICAL);
  // A well-formed path that is simply elsewhere hears so; everything else hears how a path is written.
  if (path === '' || path === '/' || (!path.startsWith('/') && isCanonical(`/${path}`)))
    return refuse(says.PATH_OUTSIDE_API);
  if (!isCanonical(path)) return refuse(says.PATH_NOT_CANONICAL);
  if (!path.startsWith('/api/')) return refuse(says.PATH_OUTSIDE_API);
  const closed = CLOSED.find(([pattern]) => pattern.test(path));
  return closed ? refuse(closed[1]) : { admitted: true, path };
}

function adminGate(method: string, path: unknown): Verdict {
  const reached =
    typeof path === 'string' &&
    isCanonical(path) &&
    (path.startsWith('/api/admin/') || (method === 'GET' && ADMIN_EXTRAS.includes(path)));
  return reached ? { admitted: true, path } : refuse(says.PATH_OUTSIDE_ADMIN);
}
