// The sentences that the interface specification fixes to the letter (§7), each defined once. A sentence of a single operation
// is defined with that operation.

export const UNAUTHORIZED = 'unauthorized: mint a token in Settings → API';

export const WIRE_REQUIRED =
  'this token cannot put letters on the wire: mint one with the wire scope in Settings → Access & Security → API';

export const SCRIPTS_REQUIRED =
  'this token cannot run scripts: mint one with the scripts scope in Settings → Access & Security → API';

export const TOKEN_CANNOT_MINT = 'a token cannot mint tokens';

export const AGENT_DOES_NOT_DECIDE =
  'an agent does not decide approvals: a person decides, on screen or with a token of their own';

export const METHOD_NOT_ALLOWED = 'method not allowed';

export const METHOD_NOT_SUPPORTED = 'method not supported';

export const WORK_ITEM_UUID = 'item_id must be a work item uuid';

export const PATH_NOT_CANONICAL =
  'path not allowed — write it canonically: segments of letters, digits, "-" and "_" with single slashes between them, and query parameters in the separate query argument';

export const PATH_OUTSIDE_API = 'path not allowed — every route this tool reaches starts /api/';

export const PATH_OUTSIDE_ADMIN =
  'path not allowed — canonical /api/admin/* paths, and GET on /api/agents, /api/models and /api/settings, are all this tool reaches';

export const CHAT_STREAMS = '/api/chat streams its answer: use the chat tool instead';

export const EVENTS_STREAM =
  '/api/events is an endless stream: read GET /api/inbox, GET /api/threads, or approvals_inbox';

export const ATTACH_STREAMS =
  '/api/threads/{id}/attach is a live stream: use GET /api/threads/:id to read the thread as it stands';

export const RUN_EVENTS_STREAM =
  '/api/workflows/runs/{runId}/events is a live stream: use GET /api/workflows/runs/:runId to read the run as it stands';

export const NO_API_MCP = 'there is no /api/mcp — this endpoint is /mcp, and no tool calls it';

export const QUERY_NOT_FLAT = 'query must be an object of plain values, one level deep';

export const METHOD_NOT_ONE_OF = 'method must be one of GET/POST/PUT/PATCH/DELETE';

export const READ_TOO_SLOW =
  'that route did not finish within 30 seconds; what it had sent was discarded and nothing is retried';

export const bodyTooLarge = (bytes: number): string =>
  `that body is ${Math.ceil(bytes / 1024)} KiB and the limit is 1024 KiB. Nothing was sent.`;

export const noResource = (uri: string): string => `no resource named "${uri}"`;

export const resourceForbidden = (uri: string): string =>
  `resource "${uri}" could not be read: the route answered HTTP 403`;
