// The handler of verification: a check asks outside first and is saved here; a real letter is drafted and approved like any
// single letter, by the same caller and through the same gates.
import { denied } from '../../../kernel/denied.ts';
import { decide } from '../../../kernel/policy.ts';
import { notThere, invalid } from '../../../kernel/refusal.ts';
import { bindAsking, type WriteContext } from '../../../kernel/context.ts';
import { letterCreate } from '../sends/contract.ts';
import { wakeLetters } from '../sends/letter/flow.store.ts';
import { sendsApprove } from '../sends/moves.contract.ts';
import { checkAll, mailboxesOf, readableOwners } from './check.ts';
import { type Verified, verifyAddresses } from './contract.ts';
import { told, unasked } from './rules.ts';
import { keepFound, verdictsFor } from './store.ts';

type Letter = { identity_id: string; subject: string; text: string };

export const verify = bindAsking(
  verifyAddresses,
  async (context, { addresses, action }) => (action === 'check' ? checkAll(context, addresses) : null),
  async (context, args, checked) => {
    if (!checked) return { results: await writeToAll(context, args.addresses, letterOf(args)) };
    const { db, now } = context;
    // Letters come first in the order of locks.
    for (const { hash } of checked.found) await wakeLetters(db, { address_hash: hash }, now);
    if (checked.found.length > 0)
      for (const person of await keepFound(db, checked.found)) context.tell('people', person);
    return { results: checked.results };
  },
  { cannot: 'This asks another server, which a rehearsal doesn’t do.' },
);

function letterOf(args: {
  identity_id?: string | undefined;
  subject?: string | undefined;
  text?: string | undefined;
}): Letter {
  const { identity_id, subject, text } = args;
  if (identity_id !== undefined && subject !== undefined && text !== undefined)
    return { identity_id, subject, text };
  const missing = Object.entries({ identity_id, subject, text })
    .filter(([, value]) => value === undefined)
    .map(([name]) => name);
  throw invalid(
    `this action also requires ${missing.join(', ')}: add them, or use action=check, which sends no letter`,
    Object.fromEntries(missing.map((name) => [name, 'required to send a letter'])),
  );
}

/** All of them or none: where one has no letter, the act is undone and says which. */
async function writeToAll(
  context: WriteContext,
  given: readonly string[],
  letter: Letter,
): Promise<Verified[]> {
  const { db, caller, now } = context;
  const names = ['outreach:verify'];
  if (!decide(caller.rights, 'outreach.verify.send', names).allowed)
    throw denied(caller, 'outreach.verify.send', names[0]);
  const boxes = mailboxesOf(given);
  const hashes = boxes.flatMap((box) => (box ? [box.hash] : []));
  const owners = await readableOwners(context, hashes);
  const written = new Map<string, { id: string; fingerprint: string; person_id: string }>();
  for (const [at, box] of boxes.entries()) {
    const person_id = box && owners.get(box.hash);
    if (!box || !person_id)
      throw notThere(
        `address ${at + 1} doesn’t belong to anyone on this instance, and letters only go to people: add the person first`,
      );
    if (written.has(box.hash)) continue;
    const { send } = await context.invoke(letterCreate, { ...letter, person_id, to: box.normalised });
    written.set(box.hash, { id: send.id, fingerprint: send.fingerprint, person_id });
  }
  await context.invoke(sendsApprove, {
    sends: [...written.values()].map(({ id, fingerprint }) => ({ id, fingerprint })),
  });
  const kept = await verdictsFor(db, hashes, now);
  return boxes.map((box, at): Verified => {
    const address = given[at] ?? '';
    const letter = box && written.get(box.hash);
    const account = box && kept.get(box.hash);
    const said = account ? told(address, account, true) : unasked(address, 'not_asked_yet');
    const sent = { rung: 'sent', outcome: 'unknown', evidence: 'approved', ms: 0 } as const;
    return {
      ...said,
      rungs: [...said.rungs, sent],
      person_id: letter?.person_id ?? null,
      send_id: letter?.id ?? null,
    };
  });
}
