// Forgets files that no answer carries.
import { expiryPass } from '../../../kernel/pass.ts';
import { answerFiles } from './files.store.ts';

export const answersExpiry = expiryPass('answers_expiry', 'threads', answerFiles.forget);
