// How far the set-up of an instance is, read from its data without the sample data. Also who dismissed the first steps.
import type { Reader, Transaction } from '../../../kernel/database.ts';

export type Progress = {
  domains: number;
  verified: number;
  identities: number;
  active: number;
  postal_address: boolean;
  people: boolean;
  campaigns: number;
  activated: number;
  tokens: number;
  agents: number;
  /** Theirs: an authenticator or a passkey. */
  second_factor: boolean;
  dismissed: boolean;
};

export async function progressOf(db: Reader, user: string | null): Promise<Progress> {
  const real = (kind: string, id: ReturnType<Reader>) =>
    db`not exists (select from samples s where s.kind = ${kind} and s.id = ${id})`;
  const [row] = await db<Progress[]>`
    select d.*, i.*, c.*, t.*,
      exists (select from postal_addresses p where ${real('postal_addresses', db`p.id`)}) as postal_address,
      exists (select from people p where ${real('people', db`p.id`)}) as people,
      exists (select from users u where u.id = ${user} and (u.totp_secret is not null
        or exists (select from passkeys k where k.user_id = u.id))) as second_factor,
      exists (select from start_dismissed x where x.user_id = ${user}) as dismissed
    from
      (select count(*)::int as domains, (count(*) filter (where verified_at is not null))::int as verified
       from domains where state <> 'retired' and ${real('domains', db`domains.id`)}) d,
      (select count(*)::int as identities, (count(*) filter (where active))::int as active
       from identities where gone_at is null and ${real('identities', db`identities.id`)}) i,
      (select count(*)::int as campaigns, (count(*) filter (where activated_at is not null))::int as activated
       from campaigns where ${real('campaigns', db`campaigns.id`)}) c,
      (select count(*)::int as tokens, (count(*) filter (where first_agent_turn_at is not null))::int as agents from tokens) t`;
  if (!row) throw new Error('a query of counts gives one row');
  return row;
}

export async function keepDismissed(tx: Transaction, user_id: string, at: Date | null): Promise<void> {
  if (at === null) await tx`delete from start_dismissed where user_id = ${user_id}`;
  else await tx`insert into start_dismissed ${tx({ user_id, at })} on conflict do nothing`;
}
