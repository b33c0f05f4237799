// Returns unread letters to review when a campaign’s review policy becomes stricter, before they start. A looser policy takes
// nothing out of review.
import type { Principal } from '../../../../kernel/caller.ts';
import type { Transaction } from '../../../../kernel/database.ts';
import { type Policy, READ_FIRST, reviewReason } from '../letter/review.rules.ts';
import { writeFacts } from '../letter/save.store.ts';
import { lockRows } from '../letter/send.store.ts';
import { moveLetters } from '../letter/transitions.store.ts';

type Unread = { id: string; prospect_id: string; step_id: string; first_touch: boolean; changed: boolean };

/** So many at once, whatever the campaign's size. */
const CHUNK = 200;

/** Gives how many went to review. Whoever calls holds the campaign's row, with its new policy saved. */
export async function lettersUnderPolicy(
  tx: Transaction,
  campaign_id: string,
  { by, now }: { by: Principal; now: Date },
): Promise<number> {
  const [policy] = await tx<Policy[]>`
    select review_policy, review_sample, sequence_revision, review_bound_revision, no_human_review_revision
    from campaigns where id = ${campaign_id}`;
  if (!policy) return 0;
  const unread = await tx<Unread[]>`
    select s.id, s.prospect_id, s.step_id, s.rewritten_by_kind is not null
        or exists (select from people p left join companies co on co.id = p.company_id
          where p.id = s.person_id and (p.edited <> '{}' or co.edited <> '{}')) as changed,
      not exists (select from sends x where x.prospect_id = s.prospect_id and x.created_at < s.created_at
        and x.state not in ('cancelled', 'failed')) as first_touch
    from sends s where s.campaign_id = ${campaign_id} and s.kind = 'sequence' and s.state in ('scheduled', 'held')
      and s.approved_at is null and s.review_reason is null order by s.id`;
  let sent = 0;
  for (let at = 0; at < unread.length; at += CHUNK) {
    const some = unread.slice(at, at + CHUNK);
    const wanted = new Map(
      some.map((letter) => [
        letter.id,
        // The campaign's first letters were read or not by the policy that drew them; only the sample is drawn again.
        reviewReason(policy, {
          ...letter,
          before: READ_FIRST,
          sender_loosened: false,
          campaign_loosened: false,
        }),
      ]),
    );
    const back: string[] = [];
    for (const row of await lockRows(tx, [...wanted.keys()])) {
      const review_reason = wanted.get(row.id) ?? null;
      if (review_reason === null) continue;
      const change = { kind: 'change', fingerprint: row.fingerprint, review_reason } as const;
      back.push(...(await moveLetters(tx, [row.id], change, now)));
    }
    await writeFacts(tx, back, { kind: 'to_review', details: { policy: policy.review_policy } }, { by, now });
    sent += back.length;
  }
  return sent;
}
