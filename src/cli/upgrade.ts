// `dunnock upgrade`: the data folder from an earlier major version of PostgreSQL to the one that this version brings.
import { openConnection } from '../store/backup/session.ts';
import { CannotStart } from '../store/cannot-start.ts';
import { upgradeCluster } from '../store/own-server/upgrade.ts';
import { copyAcross } from './backup.ts';
import { noArguments, type Command } from './tools.ts';

export const upgrade: Command = {
  takes: '',
  says: 'Upgrades the data folder to this version’s PostgreSQL. The old cluster stays beside it.',
  async run(tools, args) {
    noArguments(args);
    const { place, log, say } = tools;
    if (place.url !== null)
      throw new CannotStart(
        'DATABASE_URL points to your own PostgreSQL, which you upgrade yourself: unset it to upgrade the data folder.',
      );
    const done = await upgradeCluster({
      dataDir: place.data_dir,
      log: (line) => log.info(line),
      async copy(from, to) {
        const [source, target] = [openConnection(from), openConnection(to)];
        try {
          await copyAcross(tools, source, target);
        } finally {
          await Promise.all([source.end({ timeout: 5 }), target.end({ timeout: 5 })]);
        }
      },
    });
    say(
      done === null
        ? 'The data folder already uses this version’s PostgreSQL. Nothing to do.'
        : `The data folder was upgraded from PostgreSQL ${done.from} to ${done.to}; every count and hash matches. Remove ${done.kept} when you no longer need it.`,
    );
    return 0;
  },
};
