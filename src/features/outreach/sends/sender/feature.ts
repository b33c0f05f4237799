// What the sender gives to the house: the pass that sends letters. No operation starts one by itself.
import type { Feature } from '../../../../kernel/house.ts';
import { openVendor } from '../../vendors/way.ts';
import { lettersPass } from './pass.ts';

export const letters: Feature = { name: 'letters', operations: [], passes: [lettersPass(openVendor)] };
