import type { Feature } from '../../../kernel/app.ts';
import { wardenPass } from './pass.ts';

export const warden: Feature = { name: 'warden', operations: [], passes: [wardenPass] };
