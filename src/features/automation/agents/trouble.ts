// Sentences for a model that doesn’t answer: what went wrong and who can fix it. They contain none of the provider’s
// text.
import type { TroubleWhy } from './model.ts';

export function troubleSentence(
  why: TroubleWhy,
  title: string,
  model: string,
  retry_after: number | null,
): string {
  const again = retry_after === null ? 'in a minute' : `in ${retry_after} seconds`;
  const SAYS: Record<TroubleWhy, string> = {
    key: `${title} doesn’t accept the saved key, or revoked it: an administrator can save a new one in Settings → Integrations`,
    busy: `${title} is handling too many requests right now: try again ${again}`,
    failing: `${title} returned an error: try again ${again}, or choose another model`,
    unreachable: `${title} could not be reached: try again, and if it keeps failing, an administrator can check its address in Settings → Integrations`,
    address: `the address of ${title} is one that this instance must not call: an administrator can correct it, or the operator can list it in SERVICE_ALLOW_PRIVATE_HOSTS`,
    model: `${title} has no model "${model}": choose another one; GET /api/models lists models`,
    refused: `${title} rejected the request: choose another model, or start a new conversation`,
    broke_off: `${title} stopped in the middle of its answer: ask again`,
    stopped: 'the turn was stopped before its answer was complete',
  };
  return SAYS[why];
}
