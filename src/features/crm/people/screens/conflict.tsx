// A person or a company changed while it was being edited.
import { ConflictPanel } from '../../../../ui/kit/conflict-panel.tsx';
import type { Saving } from '../../../../ui/kit/record-saving.ts';
import { FIELD, shownValue } from './words.ts';

export const RecordConflict = <R extends object>({ saving, name }: { saving: Saving<R>; name: string }) => (
  <ConflictPanel
    saving={saving}
    label="The record changed"
    what={name}
    title={(field) => FIELD[field] ?? field}
    shown={(field, { change, ...versions }, which) =>
      shownValue(which === 'yours' ? change[field] : versions[which][field as keyof R])
    }
  />
);
