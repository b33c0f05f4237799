// The columns of tokens as a CSV file, without their values.
import { bindCsv } from '../../../kernel/csv.ts';
import { tokenExport, tokenList } from './contract.ts';

export const exportTokens = bindCsv(tokenExport, tokenList, 'tokens', {
  id: (t) => t.id,
  name: (t) => t.name,
  mode: (t) => t.mode,
  acts_as: (t) => t.user_name,
  policies: (t) => t.policies.join('; '),
  wire: (t) => t.scopes.wire,
  scripts: (t) => t.scopes.scripts,
  expires_at: (t) => t.expires_at,
  created_by: (t) => t.created_by.name,
  created_at: (t) => t.created_at,
  last_used_at: (t) => t.last_used_at,
  first_agent_turn_at: (t) => t.first_agent_turn_at,
});
