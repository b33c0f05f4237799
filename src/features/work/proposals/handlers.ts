// Proposing, rehearsing, reading and withdrawing. What a decision does is in decided.ts.
import { z } from 'zod';
import { type Caller, isPerson } from '../../../kernel/caller.ts';
import { after, HOUR_MS, MINUTE_MS } from '../../../kernel/clock.ts';
import {
  bind,
  bindAsking,
  type Bound,
  type ReadContext,
  type WriteContext,
} from '../../../kernel/context.ts';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { conflict, notFound, Refusal, stop } from '../../../kernel/refusal.ts';
import { seenKeys, type Subject } from '../approvals/subject.ts';
import { listApprovals, loadApproval } from '../approvals/store.ts';
import { replaceApproval, withdrawApproval } from '../approvals/open.store.ts';
import { actsIn, actsOf, rehearsed } from './named.ts';
import type { Binding } from './binding.ts';
import {
  proposalCreate,
  proposalGet,
  proposalList,
  proposalRehearse,
  proposalWithdraw,
  rehearsalCreate,
  type ShownRehearsal,
} from './contract.ts';
import { openProposal } from './open.ts';
import {
  askedHash,
  listProposals,
  lockProposal,
  moveProposal,
  oneAtATime,
  openOf,
  type Origin,
  type Proposal,
  proposalById,
  repeatedBy,
} from './proposals.store.ts';
import { prepare } from './prepare.ts';
import { MOST_OPEN, PLAN, tooManyOpen } from './rules.ts';
import { shownProposal } from './shown.ts';
import { differences } from './words.rules.ts';

/** Within this, an equal call without a key is the same one. */
const REPEATED_MS = 10 * MINUTE_MS;

type Context = ReadContext | WriteContext;

/** A token is known by itself, whoever carries it. */
const proposerOf = ({ credential, principal }: Caller): string =>
  credential.kind === 'token' ? credential.id : principal.id;

const originOf = ({ surface, credential }: Caller): Origin =>
  surface === 'lua' ? 'script' : credential.kind === 'session' ? 'session' : 'token';

const noProposal = (): Refusal => notFound('proposal', 'GET /api/proposals lists those you can see');

export function proposalHandlers(binding: Binding, subjects: readonly Subject[]): Bound[] {
  const shown = async (context: Context, id: string) => {
    const found = await proposalById(context.db, id);
    if (!found) throw noProposal();
    return shownProposal(context.app, found);
  };

  /** One's own, or one whose approval the caller may read. */
  async function load(context: Context, id: string): Promise<Proposal> {
    const found = await proposalById(context.db, id);
    if (!found) throw noProposal();
    if (found.proposer === proposerOf(context.caller)) return found;
    const approval = await loadApproval(context.db, context.caller, 'approval.read', found.approval_id).catch(
      (error: unknown) => {
        throw error instanceof Refusal ? noProposal() : error;
      },
    );
    const keys = seenKeys(subjects, context).find(({ kind }) => kind === approval.kind);
    if (keys && !keys.seen.includes(approval.subject.key)) throw noProposal();
    return found;
  }

  const create = bindAsking(
    proposalCreate,
    async (context, asked) => {
      const { app, caller, now, db } = context;
      const repeated = asked.rehearse_only ? null : await repeatedCall(db, asked, repeatOf(context, asked));
      if (repeated !== null) return { repeated };
      const acts = await actsOf(app, caller, asked);
      const fresh = await rehearsed(context, caller, acts);
      if (asked.rehearse_only) return { acts, fresh, prepared: null };
      stop(refusedAsRehearsed(fresh));
      return { acts, fresh, prepared: await prepare(binding, context, acts, now) };
    },
    async (context, asked, found) => {
      const { app, caller, db, now } = context;
      if (found.repeated !== undefined) return again(context, found.repeated);
      const { acts, fresh, prepared: ready } = found;
      if (ready === null) return { proposal: null, rehearsal: fresh, repeated: false };
      const call = repeatOf(context, asked);
      await oneAtATime(db, call);
      const repeated = await repeatedCall(db, asked, call);
      if (repeated !== null) return again(context, repeated);
      const { proposer, key, asked_hash } = call;
      const { why, expires_in_hours, supersedes = null } = asked;
      if ((await openOf(db, proposer)) >= MOST_OPEN) throw tooManyOpen(MOST_OPEN);
      if (supersedes !== null) await supersede(context, supersedes);
      const opened = await openProposal(
        db,
        app.sealer,
        {
          kind: 'proposal',
          author: caller.principal,
          thread_id: null,
          turn_id: null,
          origin: originOf(caller),
          proposer,
          why,
          operation: acts.plan ? PLAN : (acts.acts[0]?.operation.name ?? PLAN),
          ...ready,
          steps: acts.plan ? acts.acts.length : null,
          rehearsal: fresh,
          expires_at: after(now, expires_in_hours * HOUR_MS),
          supersedes,
          key,
          asked_hash,
        },
        now,
      );
      context.about(`approval:proposal/${opened.approval_id}`);
      context.tell('approvals', opened.approval_id);
      return { proposal: await shown(context, opened.id), rehearsal: null, repeated: false };
    },
    { cannot: 'A proposal is rehearsed with rehearse_only.' },
  );

  const again = async (context: WriteContext, id: string) => {
    const proposal = await shown(context, id);
    return { proposal, rehearsal: null, repeated: true };
  };

  /** The caller's own, that waits or was returned, is closed: another takes its place. */
  async function supersede(context: WriteContext, id: string): Promise<void> {
    const before = await load(context, id);
    if (before.proposer !== proposerOf(context.caller)) throw noProposal();
    const state = await lockProposal(context.db, id);
    if (state === 'returned' || state === 'expired') return;
    if (state !== 'waiting')
      throw conflict(`that proposal is ${state ?? 'gone'}, so nothing can supersede it`);
    await moveProposal(context.db, id, 'waiting', 'superseded', { settled_at: context.now });
    await replaceApproval(context.db, { id }, context.caller.principal, context.now);
    context.tell('approvals', before.approval_id);
  }

  const rehearseNow = bind(rehearsalCreate, async (context, asked) => ({
    rehearsal: await rehearsed(context, context.caller, await actsOf(context.app, context.caller, asked)),
  }));

  const get = bind(proposalGet, async (context, { proposal }) => ({
    proposal: shownProposal(context.app, await load(context, proposal)),
  }));

  const list = bind(proposalList, async (context, { mine, state, since, limit, cursor }) => {
    const { db, caller, app } = context;
    const after = keyIn(cursor, () => z.tuple([z.iso.datetime(), z.guid()]));
    const approvals = mine ? null : await readableApprovals(context);
    const asked = {
      proposer: mine ? proposerOf(caller) : null,
      approvals,
      state,
      since,
      after,
      count: limit + 1,
    };
    const found = await listProposals(db, asked);
    return pageOf(
      found.map((each) => shownProposal(app, each)),
      limit,
      (each) => [each.created_at, each.id],
    );
  });

  /** The newest that the caller may read the approvals of. */
  async function readableApprovals(context: ReadContext): Promise<string[]> {
    const found = await Promise.all(
      (['proposal', 'chat_action'] as const).map((kind) =>
        listApprovals(
          context.db,
          context.caller,
          'approval.read',
          { state: 'any', project: undefined, kind, subject: undefined, after: null, count: MOST_LISTED },
          seenKeys(subjects, context),
        ),
      ),
    );
    return found.flat().map(({ id }) => id);
  }

  const withdraw = bind(proposalWithdraw, async (context, { proposal: id }) => {
    const { db, caller, now, tell, about } = context;
    const found = await load(context, id);
    if (found.proposer !== proposerOf(caller)) throw noProposal();
    const state = await lockProposal(db, id);
    about(`approval:proposal/${found.approval_id}`);
    if (state !== 'waiting')
      throw conflict(`this proposal is already ${state ?? 'gone'}: there is nothing to withdraw`);
    await moveProposal(db, id, 'waiting', 'withdrawn', { settled_at: now });
    await withdrawApproval(db, { id }, caller.principal, now);
    tell('approvals', found.approval_id);
    return { proposal: await shown(context, id) };
  });

  const rehearseAgain = bind(proposalRehearse, async (context, { proposal: id }) => {
    const { caller } = context;
    const found = await load(context, id);
    if (!isPerson(caller) && found.proposer !== proposerOf(caller)) throw noProposal();
    const fresh = await rehearsed(context, caller, actsIn(context, found));
    return { rehearsal: fresh, differs: differences(found.rehearsal, fresh) };
  });

  return [create, rehearseNow, get, list, withdraw, rehearseAgain];
}

const MOST_LISTED = 1_000;

const KEY_TAKEN = conflict(
  'that key was used for another proposal of yours: send a new key with each new proposal',
);

type Call = { proposer: string; key: string | null; asked_hash: string; since: Date };
type Create = z.output<typeof proposalCreate.takes>;

/** By what a call is known when it comes again. */
function repeatOf({ app, caller, now }: Context, { act, arguments: args, steps, why, key }: Create): Call {
  const asked_hash = askedHash(app.sealer, [act, args, steps, key && why]);
  return { proposer: proposerOf(caller), key: key ?? null, asked_hash, since: after(now, -REPEATED_MS) };
}

/** The proposal that an earlier one of this call made, or null. */
async function repeatedCall(
  db: Context['db'],
  { again, supersedes }: Create,
  call: Call,
): Promise<string | null> {
  if (call.key === null && (again || supersedes !== undefined)) return null;
  const earlier = await repeatedBy(db, call);
  if (earlier && !earlier.same) throw KEY_TAKEN;
  return earlier?.id ?? null;
}

/** What could not happen now is not put before a person, and whoever proposes hears why. */
function refusedAsRehearsed({ refused }: ShownRehearsal): Refusal | null {
  return refused && new Refusal(refused.status, refused.code as Refusal['code'], refused.message);
}
