// Deletes uploaded files that no answer uses.
import { expiryPass } from '../../../kernel/pass.ts';
import { answerFiles } from './files.store.ts';

export const answersExpiry = expiryPass('answers_expiry', 'threads', answerFiles.forget);
