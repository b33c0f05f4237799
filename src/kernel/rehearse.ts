// Rehearsals: acts that run whole in one transaction, which is always rolled back. The gates are those of the act, but what a person
// can lift (wire, a signature, a step-up) is named instead of refused. Nothing else happens: no event, no notification, no key,
// no count against a limit; the audit log has one row, `rehearsed`.
import type { Caller } from './caller.ts';
import { contextOf, type Args, leavesNothing, namedBy, statusOf } from './acting.ts';
import type { App } from './app.ts';
import { AskAgain, handler, type Bound, type RequestFacts } from './context.ts';
import type { AuditRow, Transaction } from './database.ts';
import { changesOf, countsIn, type TableChange } from './table-changes.store.ts';
import { refusedBeforeReading, refusedOnArguments } from './gates.ts';
import { newId } from './ids.ts';
import { type AnyOperation, needsAction } from './operation.ts';
import { parseArguments } from './parse.ts';
import { conflict, Refusal } from './refusal.ts';
import { refusedByTrouble } from './trouble.ts';

/** What a person must give for it to happen. */
export const NEEDS = ['wire', 'person', 'step_up'] as const;
export type Need = (typeof NEEDS)[number];

export type Rehearsal = {
  act: string;
  /** False where it can't be rehearsed, and `because` says why; also where a rehearsal differs from the act, which `because` says. */
  rehearsed: boolean;
  because: string | null;
  would: { status: number; answer: unknown } | null;
  refused: { status: number; code: string; message: string } | null;
  needs: Need[];
  tables: TableChange[];
  events: { kind: string; count: number }[];
};

/** An act to rehearse. Its arguments may be made from the answers of those before it. */
export type RehearsedAct = { operation: AnyOperation; given: (answers: readonly unknown[]) => unknown };

/** As the caller would be with what a person can lift, of this act alone. */
function lifted(caller: Caller, operation: AnyOperation, now: Date, but?: Need): Caller {
  const { credential, rights } = caller;
  const proposing = needsAction(operation);
  return {
    ...caller,
    rights: but === 'person' || proposing === null ? rights : { ...rights, proposing },
    credential:
      credential.kind === 'token' && but !== 'wire'
        ? { ...credential, scopes: { ...credential.scopes, wire: true } }
        : credential.kind === 'session' && but !== 'step_up'
          ? { ...credential, stepped_up_at: now }
          : credential,
  };
}

/** The refusal that no one can lift, or null: what a person must lift is added to `needs`. */
function gate(
  needs: Set<Need>,
  as: (but?: Need) => Caller,
  asked: (by: Caller) => Refusal | null,
): Refusal | null {
  const refused = asked(as());
  if (refused) return refused;
  for (const need of NEEDS) if (asked(as(need))) needs.add(need);
  return null;
}

/** Ends the transaction of a rehearsal. */
class RolledBack extends Error {}

/** Rehearses one more act, after those before it. */
export type Rehearse = (operation: AnyOperation, given: () => unknown) => Promise<Rehearsal>;

/**
 * Runs `walk` in a transaction that is rolled back; each act that it rehearses finds what those before it did. After one that is
 * refused or can't be rehearsed nothing more may be asked of the transaction. A fault is thrown as it is.
 */
export async function rehearsing<T>(
  app: App,
  caller: Caller,
  request: RequestFacts,
  walk: (rehearse: Rehearse) => Promise<T>,
): Promise<T> {
  const now = app.clock.now();
  const rows: AuditRow[] = [];
  let came: { of: T } | null = null;
  const run = async (tx: Transaction): Promise<never> => {
    rows.length = 0;
    const one: Rehearse = async (operation, given) => {
      const row = rowOf(operation, caller, now);
      rows.push(row);
      return rehearseOne(app, tx, { operation, given }, { caller, row, request });
    };
    came = { of: await walk(one) };
    throw new RolledBack();
  };
  await app.database.transact(run, request.signal).catch((error: unknown) => {
    if (!(error instanceof RolledBack)) throw refusedByTrouble(error) ?? error;
  });
  for (const row of rows) await app.database.audit(null, { ...row, rehearsed: true });
  if (came === null) throw new Error('a rehearsal came to nothing');
  return (came as { of: T }).of;
}

/** Rehearses these acts in order. It ends with the first that is refused or can't be rehearsed. */
export const rehearse = (
  app: App,
  acts: readonly RehearsedAct[],
  caller: Caller,
  request: RequestFacts,
): Promise<Rehearsal[]> =>
  rehearsing(app, caller, request, async (one) => {
    const done: Rehearsal[] = [];
    for (const { operation, given } of acts) {
      const came = await one(operation, () => given(done.map(({ would }) => would?.answer)));
      done.push(came);
      if (came.would === null) break;
    }
    return done;
  });

const rowOf = ({ name }: AnyOperation, caller: Caller, at: Date): AuditRow => ({
  at,
  caller,
  act: name,
  resource: null,
  outcome: 'done',
  code: null,
  sentence: null,
  request_id: newId(),
});

type Who = { caller: Caller; row: AuditRow; request: RequestFacts };

async function rehearseOne(
  app: App,
  tx: Transaction,
  { operation, given }: { operation: AnyOperation; given: () => unknown },
  { caller, row, request }: Who,
): Promise<Rehearsal> {
  const needs = new Set<Need>();
  const outcome = (more: Partial<Rehearsal>): Rehearsal => ({
    act: operation.name,
    rehearsed: true,
    because: null,
    would: null,
    refused: null,
    needs: [...needs],
    tables: [],
    events: [],
    ...more,
  });
  const bound = app.bound.get(operation.name);
  if (!bound) throw new Error(`${operation.name} stands in no feature`);
  const { act, ask, rehearsal } = handler(bound);
  const leaves = leavesNothing();
  const as = (but?: Need): Caller => lifted(caller, operation, row.at, but);
  const before = await countsIn(tx);
  try {
    const early = gate(needs, as, (by) => refusedBeforeReading(operation, by, row.at));
    if (early) throw early;
    const args = parseArguments(operation.takes, given()) as Args;
    row.resource = namedBy(operation, args);
    const late = gate(needs, as, (by) => refusedOnArguments(operation, by, args));
    if (late) throw late;
    if (rehearsal !== 'asks' && 'cannot' in rehearsal)
      return outcome({ rehearsed: false, because: rehearsal.cannot });
    const context = contextOf(app, tx, { ...row, caller: as() }, request, leaves);
    const asking = rehearsal === 'asks' ? ask : rehearsal.instead;
    const asked = asking && (await asking(context, args));
    const answer = await act(context, args, asked);
    return outcome({
      because: rehearsal === 'asks' ? null : rehearsal.says,
      would: { status: statusOf(operation), answer: shown(bound, answer) },
      tables: changesOf(before, await countsIn(tx)),
      events: counted(leaves.events),
    });
  } catch (error) {
    const refused = error instanceof AskAgain ? MOVED : error;
    if (!(refused instanceof Refusal)) throw error;
    const { status, code, sentence } = refused;
    Object.assign(row, { outcome: 'refused', code, sentence });
    return outcome({ refused: { status, code, message: sentence } });
  }
}

const MOVED = conflict('the data changed while this was being rehearsed: rehearse it again');

/** A secret that would be drawn is another one when it is done. */
function shown({ operation }: Bound, answer: unknown): unknown {
  return 'json' in operation.answers && operation.answers.shows_secret ? null : answer;
}

function counted(events: readonly string[]): { kind: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const kind of events) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => ({ kind, count })).toSorted((a, b) => (a.kind < b.kind ? -1 : 1));
}
