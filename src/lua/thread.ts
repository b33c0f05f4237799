// The thread of one script: a fresh Lua 5.4 with five of its libraries and one way to call out, by name, during which
// the thread sleeps. JavaScript hands in only two functions, which take and return plain data.
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { LuaFactory, LuaLibraries } from 'wasmoon';
import type { Said, Task } from './messages.ts';
import { LIST_MARK, PRELUDE } from './prelude.ts';

const task = workerData as Task;
const answered = new Int32Array(task.answered);

const say = (said: Said): void => parentPort?.postMessage(said);

const LONGEST_FAULT = 2_000;
/** JSON of the arguments of one call: as much as a request tool's body has. What is longer is not even handed over. */
const LONGEST_CALL = 1_048_576;

const TOO_LONG = `the arguments of a call are at most ${LONGEST_CALL} characters: hand over less`;

/** Lua knows no null: a field without a value is not there. A list is told from a table by what is before its first. */
const forLua = (text: string): unknown =>
  JSON.parse(text, (_, value: unknown) =>
    value === null
      ? undefined
      : Array.isArray(value)
        ? [LIST_MARK, ...value.filter((each) => each !== undefined)]
        : value,
  );

let answers = 0;

/** Refusals are values here: what JavaScript throws inside the state would take the state with it. */
function ask(name: unknown, args: unknown): unknown {
  if (String(args).length > LONGEST_CALL) return { ok: false, sentence: TOO_LONG, code: 'too_large' };
  say({ kind: 'call', name: String(name), args: String(args) });
  Atomics.wait(answered, 0, answers);
  answers += 1;
  return forLua((receiveMessageOnPort(task.answers) as { message: string }).message);
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

type Ending = { ok: boolean; result?: unknown; fault?: unknown; nested?: unknown };

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
  lua.global.set('__mark', LIST_MARK);
  lua.global.set('__args', forLua(task.args));
  say({ kind: 'ready' });
  const ending = lua.doStringSync(PRELUDE) as Ending;
  if (ending.ok) say({ kind: 'finished', result: String(ending.result) });
  else if (ending.nested === true) say({ kind: 'failed', why: 'depth', text: '' });
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
  if (error instanceof RangeError) say({ kind: 'failed', why: 'depth', text: '' });
  // A trace of the library's own follows the first line.
  else failed(text.split('\n')[0] ?? '');
}
