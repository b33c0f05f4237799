// Lists, shows and decides what waits. What a decision does to the thing itself is the business of its subject.
import { z } from 'zod';
import { keyIn, pageOf } from '../../kernel/page.ts';
import { stop } from '../../kernel/refusal.ts';
import { bind, type Bound, type ReadScene, type WriteScene } from '../../kernel/scene.ts';
import { readSettings } from '../settings/store.ts';
import { type Approval, approvalDecide, approvalGet, approvalList } from './contract.ts';
import { deciderOf, refusedDecision, refusedToDecide } from './rules.ts';
import { type ApprovalFacts, approvalName, listApprovals, loadApproval, saveDecision } from './store.ts';
import type { Subject } from './subject.ts';

type Showing = (approval: ApprovalFacts) => Approval;

/** An approval as this caller sees it: may they decide it, and if not, why. */
async function showing(scene: ReadScene | WriteScene): Promise<Showing> {
  const { security } = await readSettings(scene.db);
  const by = deciderOf(scene.caller);
  return (facts) => {
    const refusal = refusedToDecide(facts, by, security);
    return { ...facts, can_decide: refusal === null, why_not: refusal?.sentence ?? null };
  };
}

const list = bind(approvalList, async (scene, { state, project, kind, subject, limit, cursor }) => {
  const after = keyIn(cursor, () => z.tuple([z.iso.datetime(), z.guid()]));
  const show = await showing(scene);
  const found = await listApprovals(scene.db, scene.caller, 'approval.read', {
    state,
    project,
    kind,
    subject,
    after,
    count: limit + 1,
  });
  const shown = found.map(({ row, hidden }) => ({ approval: show(row), hidden }));
  const page = pageOf(shown, limit, ({ approval }) => [approval.created_at, approval.id]);
  return { ...page, items: page.items.filter((it) => !it.hidden).map((it) => it.approval) };
});

const get = bind(approvalGet, async (scene, args) => {
  const approval = await loadApproval(scene.db, scene.caller, 'approval.read', args.approval);
  return { approval: (await showing(scene))(approval) };
});

/** Bound to the subjects that decisions reach, one for each kind of approval. */
export function approvalHandlers(subjects: Subject[]): Bound[] {
  const decide = bind(approvalDecide, async (scene, args) => {
    const { caller, db, now } = scene;
    const seen = await loadApproval(db, caller, 'approval.decide', args.approval);
    const subject = subjects.find((each) => each.kind === seen.kind);
    if (!subject) throw new Error(`nobody settles approvals of the kind ${seen.kind}`);
    await subject.holdStill(db, seen.subject.id);
    const approval = await loadApproval(db, caller, 'approval.decide', args.approval);
    const { security } = await readSettings(db);
    stop(refusedToDecide(approval, deciderOf(caller), security) ?? refusedDecision(approval, args));
    const decided = await saveDecision(db, approval, args.decision, args.note, caller.principal, now);
    if (!decided) throw new Error('an approval changed although its subject was held still');
    await subject.settle(scene, approval, args.decision, args.note);
    scene.about(approvalName(approval));
    scene.tell('approvals', approval.id);
    return { approval: (await showing(scene))(decided) };
  });
  return [list, get, decide];
}
