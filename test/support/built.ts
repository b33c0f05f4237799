// The product as it is run: built into one file by `npm start`, by `npm test` before its tests, or by
// `node scripts/build-server.mjs` after a change.
import { join } from 'node:path';

export const MAIN = join(import.meta.dirname, '../../dist/main.mjs');
