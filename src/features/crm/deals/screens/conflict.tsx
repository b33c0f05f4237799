// The deal changed while it was being edited.
import { ConflictPanel } from '../../../../ui/kit/conflict-panel.tsx';
import type { Saving } from '../../../../ui/kit/record-saving.ts';
import type { Deal } from '../contract.ts';
import { FIELDS, valueText } from './change-words.ts';

export const DealConflict = ({ saving }: { saving: Saving<Deal> }) => (
  <ConflictPanel
    saving={saving}
    label="The deal changed"
    what="This deal"
    title={(field) => FIELDS[field] ?? field}
    shown={(field, { change, read, now }, which) => {
      if (which === 'yours') return valueText(field, change[field], { ...now, ...change });
      const of = which === 'read' ? read : now;
      return valueText(field, of[field as keyof Deal], of);
    }}
  />
);
