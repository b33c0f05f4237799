// Lists, shows and decides approvals. What a decision does to its subject is the subject’s part.
import { z } from 'zod';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { conflict, invalid, Refusal, stop } from '../../../kernel/refusal.ts';
import {
  bind,
  bindAsking,
  type Bound,
  type ReadContext,
  type WriteContext,
} from '../../../kernel/context.ts';
import { readSettings } from '../../access/settings/store.ts';
import {
  type Approval,
  approvalDecide,
  approvalGet,
  approvalList,
  approvalsDecide,
  approvalsUndo,
} from './contract.ts';
import { type Decision, deciderOf, refusedDecision, refusedToDecide, refusedToUndo } from './rules.ts';
import {
  type ApprovalFacts,
  approvalName,
  listApprovals,
  loadApproval,
  type LoadedApproval,
  noApproval,
  saveDecision,
} from './store.ts';
import { seenKeys, type Subject } from './subject.ts';

/** Bound to the subjects that decisions reach, one for each kind of approval. */
export function approvalHandlers(subjects: Subject[]): Bound[] {
  const subjectOf = ({ kind }: ApprovalFacts): Subject => {
    const subject = subjects.find((each) => each.kind === kind);
    if (!subject) throw new Error(`nobody settles approvals of the kind ${kind}`);
    return subject;
  };
  const sees = (context: ReadContext | WriteContext, { kind, subject }: ApprovalFacts): boolean =>
    seenKeys(subjects, context).every((one) => one.kind !== kind || one.seen.includes(subject.key));

  /** Approvals as this caller sees them: what approving does, may they decide it, and if not, why. */
  async function shown(
    context: ReadContext | WriteContext,
    all: readonly ApprovalFacts[],
    whole: boolean,
  ): Promise<Approval[]> {
    const { security } = await readSettings(context.db);
    const by = deciderOf(context.caller);
    const acts = new Map<string, NonNullable<Approval['act']>>();
    for (const subject of subjects.filter((each) => each.acts)) {
      const ids = all.filter(({ kind }) => kind === subject.kind).map((facts) => facts.subject.id);
      const found = ids.length > 0 ? await subject.acts?.(context, ids, whole) : undefined;
      for (const [id, act] of found ?? []) acts.set(id, act);
    }
    return all.map((facts) => {
      const refusal = refusedToDecide(facts, by, security);
      const act = acts.get(facts.subject.id) ?? null;
      return { ...facts, act, can_decide: refusal === null, why_not: refusal?.sentence ?? null };
    });
  }
  async function oneShown(
    context: ReadContext | WriteContext,
    facts: ApprovalFacts,
  ): Promise<{ approval: Approval }> {
    const [approval] = await shown(context, [facts], true);
    if (!approval) throw new Error('an approval was shown as none');
    return { approval };
  }
  async function load(
    context: ReadContext | WriteContext,
    action: string,
    id: string,
  ): Promise<LoadedApproval> {
    const approval = await loadApproval(context.db, context.caller, action, id);
    if (!sees(context, approval)) throw noApproval();
    return approval;
  }

  const list = bind(approvalList, async (context, { state, project, kind, subject, limit, cursor }) => {
    const after = keyIn(cursor, () => z.tuple([z.iso.datetime(), z.guid()]));
    const asked = { state, project, kind, subject, after, count: limit + 1 };
    const keys = seenKeys(subjects, context);
    const found = await listApprovals(context.db, context.caller, 'approval.read', asked, keys);
    return pageOf(await shown(context, found, false), limit, (approval) => [
      approval.created_at,
      approval.id,
    ]);
  });

  const get = bind(approvalGet, async (context, args) =>
    oneShown(context, await load(context, 'approval.read', args.approval)),
  );

  /** Everything that is against this decision; throws it. */
  const demand = async (
    context: ReadContext | WriteContext,
    approval: ApprovalFacts,
    args: Asked,
  ): Promise<void> => {
    const { security } = await readSettings(context.db);
    stop(refusedToDecide(approval, deciderOf(context.caller), security) ?? refusedDecision(approval, args));
  };

  const decide = bindAsking(
    approvalDecide,
    async (context, args) => {
      const approval = await load(context, 'approval.decide', args.approval);
      const { before } = subjectOf(approval);
      if (!before || args.decision !== 'approve') return null;
      await demand(context, approval, args);
      if (args.seen !== undefined) {
        const now = (await oneShown(context, approval)).approval.act?.seen;
        stop(now === args.seen ? null : CHANGED);
      }
      return before(context, approval);
    },
    async (context, args, answer) => {
      const { caller, db, now } = context;
      const seen = await load(context, 'approval.decide', args.approval);
      const subject = subjectOf(seen);
      await subject.holdStill(db, seen.subject.id);
      const approval = await load(context, 'approval.decide', args.approval);
      await demand(context, approval, args);
      const decided = await saveDecision(db, approval, args.decision, args.note, caller.principal, now);
      if (!decided) throw new Error('an approval changed although its subject was held still');
      await subject.settle(context, approval, args.decision, args.note);
      context.about(approvalName(approval));
      context.tell('approvals', approval.id);
      return { ...(await oneShown(context, decided)), answer };
    },
    { cannot: 'A decision can’t be rehearsed.' },
  );
  type Each = { id: string; does: (approval: LoadedApproval, subject: Subject) => Promise<void> };

  /** Each of them for itself, in the one order of their things that everyone takes; gives what was refused, with why. */
  async function eachOf(
    context: WriteContext,
    all: readonly Each[],
  ): Promise<{ id: string; code: string; sentence: string }[]> {
    const refused: { id: string; code: string; sentence: string }[] = [];
    const found: { approval: LoadedApproval; does: Each['does'] }[] = [];
    const tried = async (id: string, run: () => Promise<void>): Promise<void> => {
      try {
        await run();
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        refused.push({ id, code: error.code, sentence: error.sentence });
      }
    };
    for (const { id, does } of all)
      await tried(id, async () => {
        const approval = await load(context, 'approval.decide', id);
        stop(subjectOf(approval).reverse ? null : ONE_AT_A_TIME);
        found.push({ approval, does });
      });
    found.sort((a, b) => (a.approval.subject.id < b.approval.subject.id ? -1 : 1));
    for (const { approval: seen, does } of found)
      await tried(seen.id, async () => {
        const subject = subjectOf(seen);
        await subject.holdStill(context.db, seen.subject.id);
        const approval = await load(context, 'approval.decide', seen.id);
        await does(approval, subject);
        context.tell('approvals', approval.id);
      });
    return refused;
  }
  const onlyOnce = (ids: readonly string[]): void =>
    stop(
      new Set(ids).size === ids.length ? null : invalid(TWICE, { approvals: 'list each approval only once' }),
    );

  const decideMany = bind(approvalsDecide, async (context, { approvals, decision, note }) => {
    onlyOnce(approvals.map(({ id }) => id));
    const decided: { id: string; state: Approval['state'] }[] = [];
    const refused = await eachOf(
      context,
      approvals.map(({ id, revision }) => ({
        id,
        does: async (approval, subject) => {
          await demand(context, approval, { decision, note, revision });
          const saved = await saveDecision(
            context.db,
            approval,
            decision,
            note,
            context.caller.principal,
            context.now,
          );
          if (!saved) throw new Error('an approval changed although its subject was held still');
          await subject.settle(context, approval, decision, note);
          decided.push({ id, state: saved.state });
        },
      })),
    );
    return { decided, refused };
  });

  const undoMany = bind(approvalsUndo, async (context, { approvals }) => {
    onlyOnce(approvals);
    const { security } = await readSettings(context.db);
    const undone: { id: string; approval: string }[] = [];
    const refused = await eachOf(
      context,
      approvals.map((id) => ({
        id,
        does: async (approval, { reverse }) => {
          stop(refusedToUndo(approval, deciderOf(context.caller), security, context.now));
          if (!reverse) throw ONE_AT_A_TIME;
          undone.push({ id, approval: await reverse(context, approval) });
        },
      })),
    );
    return { undone, refused };
  });
  return [list, get, decide, decideMany, undoMany];
}

const CHANGED = conflict('this approval changed since you read it: read it again, then decide');

const ONE_AT_A_TIME = conflict('this is not a work item: open it and decide it separately');
const TWICE = 'approvals: list each approval only once';

type Asked = { decision: Decision; note?: string | undefined; revision: number };
