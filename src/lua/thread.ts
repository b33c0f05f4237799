// The thread of one script: a fresh Lua 5.4, five of its libraries, and one way out: a call by name, for whose answer the
// thread sleeps. Nothing of JavaScript is handed in but two functions that take and give plain data.
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { LuaFactory, LuaLibraries } from 'wasmoon';
import type { Said, Task } from './messages.ts';
import { PRELUDE } from './prelude.ts';

const task = workerData as Task;
const answered = new Int32Array(task.answered);

const say = (said: Said): void => parentPort?.postMessage(said);

/** Levels that a table may be nested: what walks it is recursive, and so is the library that hands it over. */
const DEEPEST = 64;
const LONGEST_FAULT = 2_000;
/** JSON of the arguments of one call: as much as a request tool's body has. What is longer is not even handed over. */
const LONGEST_CALL = 1_048_576;
const NESTED = `a table of a call is nested deeper than ${DEEPEST} levels`;

const TOO_LONG = `the arguments of a call are at most ${LONGEST_CALL} characters: hand over less`;

class TooDeep extends Error {}

/**
 * Lua has one kind of table. One whose keys are exactly 1 to n is a list, in whatever order it was filled; functions and the
 * like are left out.
 */
function plain(value: unknown, levels = DEEPEST): unknown {
  if (levels < 0) throw new TooDeep();
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value !== 'object') return undefined;
  if (Array.isArray(value)) return value.map((each) => plain(each, levels - 1) ?? null);
  if (Object.getPrototypeOf(value) !== Object.prototype) return undefined;
  const entries = Object.entries(value);
  const isList = entries.length > 0 && entries.every((_, i) => Object.hasOwn(value, String(i + 1)));
  if (isList)
    return entries.map((_, i) => plain((value as Record<string, unknown>)[i + 1], levels - 1) ?? null);
  return Object.fromEntries(entries.map(([key, each]) => [key, plain(each, levels - 1)]));
}

/** Lua knows no null: a field without a value is not there. */
const withoutNulls = (text: string): unknown =>
  JSON.parse(text, (_, value: unknown) => (value === null ? undefined : value));

let answers = 0;

/** Refusals are values here: what JavaScript throws inside the state would take the state with it. */
function ask(name: unknown, given: unknown): unknown {
  try {
    const args = JSON.stringify(plain(given) ?? {});
    if (args.length > LONGEST_CALL) return { ok: false, sentence: TOO_LONG, code: 'too_large' };
    say({ kind: 'call', name: String(name), args });
  } catch {
    return { ok: false, sentence: NESTED, code: 'invalid' };
  }
  Atomics.wait(answered, 0, answers);
  answers += 1;
  return withoutNulls((receiveMessageOnPort(task.answers) as { message: string }).message);
}

let printed = 0;

function print(text: unknown): void {
  if (printed > task.output_chars) return;
  const line = `${String(text)}\n`;
  const left = task.output_chars - printed;
  printed += line.length;
  if (left > 0) say({ kind: 'printed', text: line.slice(0, left) });
  if (printed > task.output_chars) say({ kind: 'cut' });
}

type Ending = { ok: boolean; result?: unknown; fault?: unknown };

async function run(): Promise<void> {
  const lua = await new LuaFactory().createEngine({
    openStandardLibs: false,
    injectObjects: false,
    enableProxy: false,
    traceAllocations: true,
  });
  const { Base, Coroutine, Table, String: Text, Math: Numbers, UTF8 } = LuaLibraries;
  for (const each of [Base, Coroutine, Table, Text, Numbers]) lua.global.loadLibrary(each);
  // `loadLibrary` takes the library of strings for this one too, and gives all texts a second copy of it, `dump` included.
  lua.global.lua.luaopen_utf8(lua.global.address);
  lua.global.lua.lua_setglobal(lua.global.address, UTF8);
  lua.global.setMemoryMax(task.memory_bytes);
  lua.global.set('__ask', ask);
  lua.global.set('__say', print);
  lua.global.set('__script', task.script);
  lua.global.set('__args', withoutNulls(task.args));
  say({ kind: 'ready' });
  const ending = lua.doStringSync(PRELUDE) as Ending;
  if (ending.ok) say({ kind: 'finished', result: JSON.stringify(plain(ending.result) ?? null) });
  else failed(String(ending.fault));
}

function failed(text: string): void {
  const why = text.endsWith('not enough memory') ? 'memory' : 'script';
  say({ kind: 'failed', why, text: text.slice(0, LONGEST_FAULT) });
}

try {
  await run();
} catch (error) {
  const text = error instanceof Error ? error.message : '';
  if (error instanceof TooDeep || error instanceof RangeError)
    say({ kind: 'failed', why: 'depth', text: '' });
  // A trace of the library's own follows the first line.
  else failed(text.split('\n')[0] ?? '');
}
