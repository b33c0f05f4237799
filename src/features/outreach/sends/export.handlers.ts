// The columns of letters as a CSV file, without their text.
import { bindCsv } from '../../../kernel/csv.ts';
import { sendExport, sendList } from './contract.ts';

export const exportLetters = bindCsv(sendExport, sendList, 'letters', {
  id: (s) => s.id,
  to: (s) => s.to,
  person: (s) => s.person_name,
  subject: (s) => s.subject,
  state: (s) => s.state,
  delivery: (s) => s.delivery,
  held_by: (s) => s.hold?.reason ?? null,
  waiting_for: (s) => s.waiting_for,
  kind: (s) => s.kind,
  campaign: (s) => s.campaign_name,
  from: (s) => s.from,
  scheduled_for: (s) => s.scheduled_for,
  approved_by: (s) => s.approved_by?.name ?? null,
  approved_at: (s) => s.approved_at,
  sent_at: (s) => s.sent_at,
  created_at: (s) => s.created_at,
});
