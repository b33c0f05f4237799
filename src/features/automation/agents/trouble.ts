// What is said where a model does not answer: whose trouble it is, and who can fix it. No text of the provider is in it.
import type { TroubleWhy } from './model.ts';

export function troubleSentence(
  why: TroubleWhy,
  title: string,
  model: string,
  retry_after: number | null,
): string {
  const again = retry_after === null ? 'in a minute' : `in ${retry_after} seconds`;
  const SAYS: Record<TroubleWhy, string> = {
    key: `${title} does not know the saved key, or took it back: an administrator saves a new one in Settings → Integrations`,
    busy: `${title} answers too many questions at the moment: try again ${again}`,
    failing: `${title} failed with an error of its own: try again ${again}, or choose another model`,
    unreachable: `${title} could not be reached: try again, and if it stays so, an administrator checks its address in Settings → Integrations`,
    address: `the address of ${title} is one that this instance may not call: an administrator corrects it, or the operator lists it in SERVICE_ALLOW_PRIVATE_HOSTS`,
    model: `${title} has no model "${model}": choose another, GET /api/models lists them`,
    refused: `${title} does not take what it was asked: choose another model, or begin a new conversation`,
    broke_off: `${title} broke off in the middle of its answer: ask again`,
    stopped: 'the turn was stopped before its answer was whole',
  };
  return SAYS[why];
}
