// What the feature gives to the house.
import type { Feature } from '../../kernel/house.ts';
import { activityExpiry } from './expiry.pass.ts';
import { activity, list } from './handlers.ts';

export const audit: Feature = { name: 'audit', operations: [list, activity], passes: [activityExpiry] };
