// Builds the server into dist with the Node that runs this; `npm start` does so on its own when it is old.
import { oneAtATime } from './setup/lock.mjs';
import { buildServer } from './setup/server.mjs';

process.exitCode = (await oneAtATime(() => buildServer(process.execPath))) ? 0 : 1;
