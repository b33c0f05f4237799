// The gates of an operation in words: for the API document, the page of it, and ACCESS.md.
import { needsAction, type AnyOperation } from '../../kernel/operation.ts';

export function gatesInWords(op: AnyOperation): string {
  const action = needsAction(op);
  const who = op.who === 'anyone' ? null : Object.keys(op.who)[0];
  return (
    [
      action === null ? 'Needs no permission' : `Needs ${action}`,
      who && `for ${who.replaceAll('_', ' ')}`,
      op.step_up === 'needed' && 'a step-up within the last 10 minutes in a session',
      op.wire !== 'never' &&
        `the wire scope for tokens (${op.wire.act}${op.wire.when ? ', depending on the arguments' : ''})`,
    ]
      .filter(Boolean)
      .join('; ') + '.'
  );
}
