// `dunnock migrate`: the schema brought up to date on its own, before new processes are started beside old ones.
import { migrate } from '../store/migrate.ts';
import { demandAnswer, noArguments, openDatabase, type Command } from './tools.ts';

export const migrateNow: Command = {
  takes: '',
  says: 'Migrates the database to the schema of this version. Processes of the previous version can keep running.',
  async run(tools, args) {
    noArguments(args);
    const connection = await openDatabase(tools, 'beside_the_product');
    await demandAnswer(connection);
    const applied = await migrate(connection, tools.place.migrations, tools.say);
    tools.say(
      applied.length === 0
        ? 'The schema was already up to date.'
        : `The schema is up to date: ${applied.join(', ')}.`,
    );
    return 0;
  },
};
