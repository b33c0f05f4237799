// Copies of sent letters in the Sent folders of their senders.
import type { Feature } from '../../../kernel/house.ts';
import { sentCopiesPass } from './pass.ts';

export const copies: Feature = { name: 'copies', operations: [], passes: [sentCopiesPass] };
