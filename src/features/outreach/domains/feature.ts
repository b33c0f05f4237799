import type { Feature } from '../../../kernel/app.ts';
import type { LettersOfSenders } from '../identities/letters.ts';
import { domainActs } from './acts.handlers.ts';
import { domainHandlers } from './handlers.ts';
import { domainsPass } from './pass.ts';

export const domains = (letters: LettersOfSenders): Feature => ({
  name: 'domains',
  operations: [...domainHandlers(letters), ...domainActs(letters)],
  passes: [domainsPass(letters)],
});
