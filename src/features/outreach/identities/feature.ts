import type { Feature } from '../../../kernel/app.ts';
import { identityActs } from './acts.handlers.ts';
import { identityHandlers } from './handlers.ts';
import type { LettersOfSenders } from './letters.ts';
import { postalHandlers } from './postal.handlers.ts';

export const identities = (letters: LettersOfSenders): Feature => ({
  name: 'identities',
  operations: [...identityHandlers(letters), ...identityActs(letters), ...postalHandlers],
});
