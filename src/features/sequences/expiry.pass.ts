// Forgets files that no step carries.
import { expiryPass } from '../../kernel/pass.ts';
import { forgetUnnamed } from './file.store.ts';

export const sequencesExpiry = expiryPass('sequences_expiry', 'campaigns', forgetUnnamed);
