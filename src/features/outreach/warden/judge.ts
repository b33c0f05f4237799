// The warden's word on one domain: pause on evidence, warn, or let a warning go. A pause is written, kept with its evidence
// and told in the transaction that found it.
import type { EventData } from '../../../kernel/events.rules.ts';
import type { Transaction } from '../../../kernel/database.ts';
import type { Evidence } from '../domains/contract.ts';
import type { DomainRow } from '../domains/domain-row.ts';
import { pauseDomain } from '../domains/state.store.ts';
import { lockRow } from '../domains/store.ts';
import { countDomain, saveWarning } from './store.ts';
import { type Finding, ruleWarden } from './warden.rules.ts';

/** How the world is told: the database's `emit` in this transaction. */
export type Tell = (event: 'domain.paused', data: EventData['domain.paused']) => Promise<unknown>;

export type Word = 'paused' | 'warned' | 'cleared' | 'stays';

/**
 * Looks at one domain. It is locked first, so that two reports at once are counted together by the second of them; letters
 * and identities that the same transaction touches are locked before. A warning that nothing supports any more goes where
 * `clears` says so.
 */
export async function judgeDomain(
  tx: Transaction,
  tell: Tell,
  domain_id: string,
  now: Date,
  clears = false,
): Promise<Word> {
  const domain = await lockRow(tx, domain_id);
  if (!domain || domain.state === 'retired' || domain.paused_by === 'warden') return 'stays';
  const { counted, window_start } = await countDomain(tx, domain, now);
  const [worst] = ruleWarden(counted, now);
  if (worst?.level === 'pause') {
    const evidence = evidenceOf(worst, domain, window_start, now);
    const { reason } = worst;
    return (await pauseDomain(tx, tell, domain_id, { by: 'warden', reason, evidence }, now))
      ? 'paused'
      : 'stays';
  }
  if (worst) {
    if (domain.warned !== null) return 'stays';
    await saveWarning(tx, domain_id, worst.reason, now);
    return 'warned';
  }
  if (domain.warned === null || !clears) return 'stays';
  await saveWarning(tx, domain_id, null, now);
  return 'cleared';
}

/** What it looked at never began before the domain was resumed. */
function evidenceOf(finding: Finding, { resumed_at }: DomainRow, window_start: Date, now: Date): Evidence {
  const since = finding.since ?? window_start;
  const start = resumed_at !== null && resumed_at > since ? resumed_at : since;
  return {
    window_start: start.toISOString(),
    window_end: now.toISOString(),
    sent: finding.sent,
    count: finding.count,
    rate: finding.rate,
    threshold: finding.threshold,
    samples: [...finding.samples],
  };
}
