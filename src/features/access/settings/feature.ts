// What the feature gives to the house.
import type { Feature } from '../../../kernel/house.ts';
import { chat, get, security, workflows } from './handlers.ts';

export const settings: Feature = { name: 'settings', operations: [get, security, chat, workflows] };
