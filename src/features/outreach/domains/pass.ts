// The pass that checks every domain daily, and sooner where something is open. It finds out and writes down; who pauses on
// it is the warden.
import { MINUTE_MS, SECOND_MS } from '../../../kernel/clock.ts';
import type { Transaction } from '../../../kernel/database.ts';
import { pass, type AnyPass } from '../../../kernel/pass.ts';
import type { DomainChecks } from '../../../mail/authentication/check.ts';
import type { LettersOfSenders } from '../identities/letters.ts';
import { claimDomains, type DueDomain, endLease, giveBackDomains, waysOf } from './check.store.ts';
import { askDns, OURS, resolverOf } from './check.ts';
import { opensAfter, verdictOf } from './rules.ts';
import { saveCheck } from './save.store.ts';
import { domainRow, lockRow } from './store.ts';

export const DOMAINS = 'domains';
/** Notifies that a domain is to be checked now. */
export const CHECK_DUE = 'domain_check_due';

type Checked = { id: string; checks: DomainChecks; at: Date };

/** The slowest check takes half a minute: with those that start last it ends within the lease. */
const STARTS_WITHIN_MS = 15 * SECOND_MS;

export const domainsPass = (letters: LettersOfSenders): AnyPass =>
  pass<DueDomain, Checked>({
    name: 'domain_checks',
    wakes_on: [CHECK_DUE],
    interrupted_by: [],
    tells: DOMAINS,
    every_ms: MINUTE_MS,
    batch: 8,
    at_a_time: 4,
    starts_within_ms: STARTS_WITHIN_MS,
    slots: { of: ({ id }) => id, most: 40 },
    claim: claimDomains,
    open: (app) => {
      const resolver = resolverOf(app);
      return {
        async begin(rows) {
          const ways = await waysOf(
            app.database.reader,
            rows.map(({ id }) => id),
          );
          return async (row, cut) => {
            const at = app.clock.now();
            const checks = await askDns(resolver, row, ways.get(row.id) ?? OURS, at);
            return cut.aborted ? null : { id: row.id, checks, at };
          };
        },
        close: () => undefined,
      };
    },
    async commit(tx, lease, results) {
      for (const { id, checks, at } of results)
        if (await wakeBefore(tx, letters, id, checks, at))
          if (await endLease(tx, lease, id)) await keepCheck(tx, id, checks, at);
    },
    release: giveBackDomains,
    tidy: async () => undefined,
  });

/** Letters come before their domain in the order of locks; what wakes for nothing asks its gates and waits on. */
export async function wakeBefore(
  tx: Transaction,
  letters: LettersOfSenders,
  id: string,
  checks: DomainChecks,
  now: Date,
): Promise<boolean> {
  const before = await domainRow(tx, id);
  if (before && opensAfter(before, verdictOf(checks))) await letters.wake(tx, { domain_id: id }, now);
  return before !== null;
}

export async function keepCheck(tx: Transaction, id: string, checks: DomainChecks, at: Date): Promise<void> {
  const domain = await lockRow(tx, id);
  if (domain) await saveCheck(tx, domain, checks, at);
}
