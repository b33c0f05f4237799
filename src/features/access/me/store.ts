// All SQL of the caller’s own account.
import type { Reader } from '../../../kernel/database.ts';
import { choicesOf, type NoticeChoices } from '../notifications/choices.rules.ts';

export type Own = {
  id: string;
  name: string;
  email: string;
  timezone: string | null;
  totp: boolean;
  passkeys: number;
  mail_approvals: boolean;
  notices: NoticeChoices;
  board: { projects: string[] | null; default_project: string | null };
};

export async function ownAccount(db: Reader, user: string): Promise<Own | null> {
  const [row] = await db<Own[]>`
    select id, name, email, timezone, totp_secret is not null as totp, mail_approvals, notices,
      (select count(*)::int from passkeys p where p.user_id = users.id) as passkeys,
      jsonb_build_object('projects', board_projects, 'default_project', default_project) as board
    from users where id = ${user}`;
  return row ? { ...row, notices: choicesOf(row.notices) } : null;
}
