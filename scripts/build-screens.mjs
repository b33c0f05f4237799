// Builds the screens into dist/ui with the Node that runs this; `npm start` does so on its own when they are old.
import { oneAtATime } from './setup/lock.mjs';
import { buildScreens } from './setup/screens.mjs';

process.exitCode = (await oneAtATime(() => buildScreens(process.execPath))) ? 0 : 1;
