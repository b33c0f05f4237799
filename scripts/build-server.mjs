// Builds the server into dist with the Node that runs this; `npm start` does so by itself when it is old.
import { buildServer } from './setup/server.mjs';

process.exitCode = buildServer(process.execPath) ? 0 : 1;
