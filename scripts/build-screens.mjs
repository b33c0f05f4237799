// Builds the screens into dist/ui with the Node that runs this; `npm start` does so by itself when they are old.
import { buildScreens } from './setup/screens.mjs';

process.exitCode = buildScreens(process.execPath) ? 0 : 1;
