// Whether a server may be contacted at all: it is on, and a person approved its address.
import { type Caller, isPerson } from '../../../kernel/caller.ts';
import { conflict } from '../../../kernel/refusal.ts';
import type { LoadedCapability } from './store.ts';

export function demandApproved(caller: Caller, row: LoadedCapability): void {
  if (!row.is_on) throw conflict(`${row.title} is turned off: turn it on in Settings → Capabilities`);
  if (row.approved_at === null && !isPerson(caller))
    throw conflict(
      `an agent added ${row.title}, so a person must connect it first in Settings → Capabilities`,
    );
}
