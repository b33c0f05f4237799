// What both hooks need: the call that a client is about to make, read from standard input, and the two ways to answer.
// Plain Node 20 or later, nothing installed. Exit 0 lets the call go; exit 2 stops it, and what is on standard error is
// shown to the agent.
import process from 'node:process';

/** The most that is read. A request tool's body and a file of people are far smaller. */
const LIMIT_CHARACTERS = 16 * 1024 * 1024;

/** The text on standard input. Text beyond the limit is cut and doesn't parse; the caller decides what that means. */
export async function readInput() {
  process.stdin.setEncoding('utf8');
  let text = '';
  for await (const piece of process.stdin) {
    text += piece;
    if (text.length > LIMIT_CHARACTERS) break;
  }
  return text;
}

/**
 * The call as `{event, session, tool, arguments, failed}`; null when the text isn't a call. `tool` is the name without what the
 * client puts before it: `mcp__dunnock__work_move`, `mcp__plugin_dunnock_dunnock__work_move` and `dunnock.work_move` are
 * `work_move`. The name of another party's server gives `{tool: null}`.
 */
export function readCall(text, server = process.env.DUNNOCK_SERVER ?? 'dunnock') {
  let read;
  try {
    read = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(read)) return null;
  const name = read.tool_name ?? read.toolName ?? read.tool;
  const given = read.tool_input ?? read.toolInput ?? read.arguments ?? read.input ?? {};
  if (typeof name !== 'string') return null;
  return {
    event: String(read.hook_event_name ?? read.hookEventName ?? 'PreToolUse'),
    session: String(read.session_id ?? read.sessionId ?? read.conversation_id ?? 'session'),
    tool: ownTool(name, server),
    arguments: argumentsIn(given),
    failed: failedIn(read.tool_response ?? read.toolResponse ?? read.tool_output),
  };
}

function ownTool(name, server) {
  const parts = name.split(/__|[.:/]/);
  if (parts.length === 1) return name;
  const before = parts.slice(0, -1).join('__').toLowerCase();
  return before.includes(server.toLowerCase()) ? parts.at(-1) : null;
}

/** Some clients pass the arguments as text; null when they aren't an object. */
function argumentsIn(given) {
  if (typeof given !== 'string') return isObject(given) ? given : null;
  try {
    const read = JSON.parse(given);
    return isObject(read) ? read : null;
  } catch {
    return null;
  }
}

function failedIn(response) {
  if (!isObject(response)) return false;
  return response.isError === true || response.is_error === true || response.error !== undefined;
}

export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Stops the call with one sentence for the agent. */
export function stop(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 2;
}
