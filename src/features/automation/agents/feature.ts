// What the feature gives to the house.
import type { Feature } from '../../../kernel/house.ts';
import { agentHandlers } from './handlers.ts';

export const agents: Feature = { name: 'agents', operations: agentHandlers };
