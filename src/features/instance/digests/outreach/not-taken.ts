// Why letters were not taken, as digests give it: how many of each reason, and the last words of a server, short.
import type { DeliveryReason } from '../../../outreach/deliveries/report.contract.ts';
import { fewOf, shortOrNull } from '../section.ts';

/** So many reasons say what is wrong. */
const REASONS_SHOWN = 3;
const WORDS_MAX = 200;

export const notTaken = (reasons: readonly DeliveryReason[]) =>
  fewOf(
    reasons,
    ({ kind, status, cause, said, letters, send_id }) => ({
      kind,
      status,
      cause,
      letters,
      send_id,
      said: shortOrNull(said, WORDS_MAX),
    }),
    { max: REASONS_SHOWN },
  );
