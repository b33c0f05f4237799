// `npm run check`: the checks without the tests, for use while writing.
import { runSteps, staticSteps } from './steps.ts';

const { passed, failed } = await runSteps(staticSteps());
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
