// What is in the columns of deliveries as a file: enough to find what a receiver missed. Bodies are read in the product.
import { bindCsv } from '../../../kernel/csv.ts';
import { eventsExport, eventsRecent } from './deliveries.contract.ts';

export const exportDeliveries = bindCsv(eventsExport, eventsRecent, 'deliveries of events', {
  id: (d) => d.id,
  event: (d) => d.event,
  state: (d) => d.state,
  attempts: (d) => d.attempts,
  last_status: (d) => d.last_status,
  last_error: (d) => d.last_error,
  occurred_at: (d) => d.occurred_at,
  next_attempt_at: (d) => d.next_attempt_at,
  delivered_at: (d) => d.delivered_at,
});
