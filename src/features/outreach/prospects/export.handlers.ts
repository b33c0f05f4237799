// The columns of a campaign’s people as a CSV file.
import { bindCsv } from '../../../kernel/csv.ts';
import { prospectExport, prospectList } from './contract.ts';

export const exportProspects = bindCsv(prospectExport, prospectList, 'people of a campaign', {
  id: (p) => p.id,
  campaign: (p) => p.campaign_name,
  person_id: (p) => p.person_id,
  person: (p) => p.person_name,
  stage: (p) => p.stage,
  stage_at: (p) => p.stage_at,
  next_at: (p) => p.next_at,
  held_by: (p) => p.hold?.reason ?? null,
  ended: (p) => p.ended,
  enrolled_by: (p) => p.enrolled_by.name,
  created_at: (p) => p.created_at,
});
