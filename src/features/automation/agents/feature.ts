import type { Feature } from '../../../kernel/app.ts';
import { agentHandlers } from './handlers.ts';

export const agents: Feature = { name: 'agents', operations: agentHandlers };
