// What the feature gives to the house.
import type { Feature } from '../../../kernel/house.ts';
import { wardenPass } from './pass.ts';

export const warden: Feature = { name: 'warden', operations: [], passes: [wardenPass] };
