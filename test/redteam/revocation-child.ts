// One more process of an instance: it serves until whoever started it goes, and says where.
import { openChild } from '../support/child.ts';

const { instance } = await openChild({ passes: 'when_told' });
process.send?.(instance.address);
