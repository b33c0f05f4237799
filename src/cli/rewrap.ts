// `dunnock rewrap`: another master key. What was sealed is not touched: the instance's own key is wrapped again.
import { existsSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { CannotStart } from '../store/cannot-start.ts';
import { isInUse } from '../store/backup/session.ts';
import { masterKeyFits, rewrap } from '../store/instance-key.ts';
import { drawKeyText, keyOfText, knownMasterKey } from '../store/seal.ts';
import { demandAnswer, noArguments, openDatabase, type Command } from './tools.ts';

export const rewrapKey: Command = {
  takes: '',
  says: 'Encrypts the secrets of the instance with another master key: SERVICE_NEW_MASTER_KEY, or a new master.key.',
  async run(tools, args) {
    noArguments(args);
    const { env, place, say } = tools;
    const given = env['SERVICE_NEW_MASTER_KEY'];
    if (given === undefined && place.master_key !== undefined)
      throw new CannotStart(
        'The master key is set in SERVICE_MASTER_KEY: set SERVICE_NEW_MASTER_KEY to the new one.',
      );
    const connection = await openDatabase(tools, 'alone');
    await demandAnswer(connection);
    if (await isInUse(connection))
      throw new CannotStart(
        'Dunnock is running on that database: stop all of its processes first, because they couldn’t start again with the old key.',
      );
    const next = `${place.master_key_file}.next`;
    if (given === undefined && existsSync(next)) {
      const drawn = await knownMasterKey(undefined, next);
      if (drawn && (await masterKeyFits(connection, drawn, place.name)) === true) {
        // Broken off after the database had the new key, and before its file had the name.
        await rename(next, place.master_key_file);
        say(`The key created earlier is in use: keep a copy of ${place.master_key_file}.`);
        return 0;
      }
    }
    const old = await knownMasterKey(place.master_key, place.master_key_file);
    if (old === null)
      throw new CannotStart(
        `There is no master key at ${place.master_key_file}: put it back, or set SERVICE_MASTER_KEY.`,
      );
    const text = given ?? drawKeyText();
    const key = keyOfText(text);
    // On disk before the database asks for it: a process that dies in between leaves both.
    if (given === undefined) await write(next, text);
    await rewrap(connection, old, key, place.name);
    if (given === undefined) await rename(next, place.master_key_file);
    say(
      given === undefined
        ? `The new key is in ${place.master_key_file}: keep a copy in a separate place. Backups taken before this need the old key.`
        : 'Set SERVICE_MASTER_KEY to the new key before the next start. Backups taken before this need the old key.',
    );
    return 0;
  },
};

async function write(file: string, text: string): Promise<void> {
  const handle = await open(file, 'w', 0o600);
  await handle.writeFile(text);
  await handle.sync();
  await handle.close();
}
