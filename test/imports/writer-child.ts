// The process that is killed: an instance whole whose pass writes big batches of people, with a clock that is ahead.
import { openChild } from '../support/child.ts';

const { instance } = await openChild();
await instance.jobs.run('imports');
process.send?.('idle');
