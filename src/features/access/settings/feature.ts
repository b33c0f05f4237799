import type { Feature } from '../../../kernel/app.ts';
import { chat, get, security, workflows } from './handlers.ts';

export const settings: Feature = { name: 'settings', operations: [get, security, chat, workflows] };
