import type { Feature } from '../../../kernel/app.ts';
import { clear, get, set, test } from './handlers.ts';
import { instanceMailPass } from './pass.ts';

export const instanceMail: Feature = {
  name: 'instance-mail',
  operations: [get, set, clear, test],
  passes: [instanceMailPass],
};
