// Forgets files that no step carries.
import { expiryPass } from '../../../kernel/pass.ts';
import { stepFiles } from './waiting.store.ts';

export const sequencesExpiry = expiryPass('sequences_expiry', 'campaigns', stepFiles.forget);
