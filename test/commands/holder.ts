// A process that owns a data folder: starts the server, tells so in one line, and then writes rows for as long
// as it lives, telling each one that the database has acknowledged. Run by the tests beside it, which kill it.
import postgres from 'postgres';
import { CannotStart } from '../../src/store/cannot-start.ts';
import { startOwnServer } from '../../src/store/own-server/own-server.ts';

const [dataDir = '', writes] = process.argv.slice(2);

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}

try {
  const started = performance.now();
  const server = await startOwnServer({ dataDir, log: (line) => tell(`log ${line}`) });
  process.on('SIGTERM', () => void server.stop().then(() => process.exit(0)));
  setInterval(() => undefined, 60_000); // the server on its own keeps no one alive
  tell(`up ${Math.round(performance.now() - started)} ${server.socketDir}`);
  const sql = postgres({ host: server.socketDir, user: server.user, database: server.database, max: 1 });
  if (writes === 'writes') {
    await sql`create table kept (number int primary key)`;
    for (let number = 1; ; number += 1) {
      await sql`insert into kept values (${number})`;
      tell(`kept ${number}`);
    }
  }
} catch (error) {
  if (!(error instanceof CannotStart)) throw error;
  tell(`refused ${error.message}`);
  process.exitCode = 1;
}
