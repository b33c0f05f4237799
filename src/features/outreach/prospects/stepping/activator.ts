// The caller a sequence acts as when an act needs permissions: the person who activated the campaign, with their current
// permissions.
import type { Caller } from '../../../../kernel/caller.ts';
import type { Reader } from '../../../../kernel/database.ts';
import { callerNow } from '../../../access/policies/standing.ts';
import { activatedBy } from './stepping.store.ts';

export async function activatorOf(db: Reader, campaign_id: string, now: Date): Promise<Caller | null> {
  const activated = await activatedBy(db, campaign_id);
  return activated && callerNow(db, activated, { turn: 'agent', surface: 'pass' }, now);
}
