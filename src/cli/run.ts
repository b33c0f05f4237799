// Finds the command that was typed, and says what there is where none was found. Commands other than start are loaded when
// they are asked for, so that a start waits for none of them.
import { parseArgs } from 'node:util';
import { Mistyped, type Command, type Flags, type Tools } from './tools.ts';
import { start } from './start.ts';

const COMMANDS: Record<string, () => Promise<Command>> = {
  start: async () => start,
  migrate: async () => (await import('./migrate.ts')).migrateNow,
  doctor: async () => (await import('./doctor.ts')).doctor,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./backup.ts')).restore,
  'release-letters': async () => (await import('./backup.ts')).release,
  move: async () => (await import('./backup.ts')).move,
  upgrade: async () => (await import('./upgrade.ts')).upgrade,
  rewrap: async () => (await import('./rewrap.ts')).rewrapKey,
  'verify audit': async () => (await import('./verify.ts')).verifyAudit,
  'token revoke': async () => (await import('./access.ts')).tokenRevoke,
  'user reset': async () => (await import('./access.ts')).userReset,
};

/** Gives the exit status, or null where the process goes on. */
export async function runCommand(tools: Tools, argv: readonly string[]): Promise<number | null> {
  const { words, flags, help } = parsed(argv);
  if (help) {
    for (const line of await usage()) tools.say(line);
    return 0;
  }
  const [first = 'start', second = ''] = words;
  const name = `${first} ${second}` in COMMANDS ? `${first} ${second}` : first;
  const load = COMMANDS[name];
  if (!load) {
    tools.say(`There is no command "${first}". Commands:`);
    for (const line of await usage()) tools.say(line);
    return 2;
  }
  const command = await load();
  try {
    return await command.run(tools, words.slice(name.split(' ').length), flags);
  } catch (error) {
    if (!(error instanceof Mistyped)) throw error;
    tools.say(`${error.message} Usage: dunnock ${name} ${command.takes}`.trimEnd());
    return 2;
  }
}

function parsed(argv: readonly string[]): { words: string[]; flags: Flags; help: boolean } {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { role: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    });
    return {
      words: positionals,
      flags: values.role === undefined ? {} : { role: values.role },
      help: values.help === true || positionals[0] === 'help',
    };
  } catch {
    const unknown = argv.find((each) => each.startsWith('-')) ?? '';
    throw new Mistyped(`"${unknown}" isn’t an option: \`dunnock help\` lists them.`);
  }
}

async function usage(): Promise<string[]> {
  const lines: string[] = [];
  for (const [name, load] of Object.entries(COMMANDS)) {
    const { takes, says } = await load();
    lines.push(`  dunnock ${`${name} ${takes}`.trimEnd()}`, `      ${says}`);
  }
  return lines;
}
