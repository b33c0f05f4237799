// All SQL of emails about approvals: who wants them, and until when approvals were looked at.
import type { Reader, Transaction } from '../../../kernel/database.ts';

export type Listener = { id: string; name: string; email: string; looked_at: Date | null };

/** Those for whom something was opened since it was last looked, not looked for since `before`; longest ago first. */
export async function dueListeners(db: Reader, before: Date, count: number): Promise<Listener[]> {
  return db<Listener[]>`
    select id, name, email, approvals_looked_at as looked_at from users
    where mail_approvals and state = 'active' and (approvals_looked_at is null or approvals_looked_at <= ${before})
      and exists (select from approvals a where a.state = 'pending'
        and a.created_at > coalesce(users.approvals_looked_at, '-infinity'))
    order by approvals_looked_at nulls first, id limit ${count}`;
}

/** False where another process looked meanwhile: then it tells, and this one does not. */
export async function lookedFor(tx: Transaction, { id, looked_at }: Listener, now: Date): Promise<boolean> {
  const done = await tx`
    update users set approvals_looked_at = ${now}
    where id = ${id} and mail_approvals and state = 'active' and approvals_looked_at is not distinct from ${looked_at}`;
  return done.count === 1;
}
