import type { Feature } from '../../../kernel/app.ts';
import { noticesPass } from './notices.pass.ts';
import { today } from './today.ts';

export const todays: Feature = { name: 'today', operations: [today], passes: [noticesPass] };
