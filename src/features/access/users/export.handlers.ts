// The columns of users as a CSV file, for reviews of who may do what.
import { bindCsv } from '../../../kernel/csv.ts';
import { userExport, userList } from './contract.ts';

export const exportUsers = bindCsv(userExport, userList, 'users', {
  id: (u) => u.id,
  name: (u) => u.name,
  email: (u) => u.email,
  state: (u) => u.state,
  administrator: (u) => u.admin,
  groups: (u) => u.groups.map(({ name }) => name).join('; '),
  policies: (u) => u.policies.join('; '),
  second_factor: (u) => u.totp,
  created_at: (u) => u.created_at,
  last_seen_at: (u) => u.last_seen_at,
});
