// What a script may never do, whatever its caller may.
import type { Caller } from '../../../kernel/caller.ts';
import type { AnyOperation } from '../../../kernel/operation.ts';
import { Refusal } from '../../../kernel/refusal.ts';

const STARTS_NO_OTHER = 'a script can’t start another script or a chat: their limits would add up';

const NO_PERSON_LOOKS =
  'a script run from a session can’t do anything irreversible: do this yourself in the browser, or run the script with a token that has the wire scope';

/** The refusal of an operation that is closed to scripts alone, beside the gates it has everywhere; or null. */
export function notFromAScript(op: AnyOperation, caller: Caller): Refusal | null {
  if ('stream' in op.answers || 'file' in op.answers)
    return new Refusal(400, 'invalid', `scripts can’t read streams or files: ${op.answers.instead}`);
  if ((op.who !== 'anyone' && 'scripts_scope' in op.who) || /^\/api\/chat(\/|$)/.test(op.path))
    return new Refusal(400, 'invalid', STARTS_NO_OTHER);
  if (op.wire !== 'never' && caller.credential.kind === 'session')
    return new Refusal(403, 'people_only', NO_PERSON_LOOKS);
  return null;
}

/** Is it closed to every script, whoever runs it? A script is an agent's turn. */
export const isClosedToScripts = (op: AnyOperation): boolean =>
  'stream' in op.answers || 'file' in op.answers || op.who !== 'anyone' || /^\/api\/chat(\/|$)/.test(op.path);
