// Pure rules of users: how addresses and names compare, who gives rights, and that one administrator always stays.
import { type Caller } from '../../../kernel/caller.ts';
import { denied } from '../../../kernel/denied.ts';
import { decide } from '../../../kernel/policy.ts';
import { Refusal, conflict, invalid } from '../../../kernel/refusal.ts';

/** One spelling of an address. Accounts compare the whole address without case: no one has two that differ in it. */
export const emailKey = (email: string): string => email.normalize('NFC').trim().toLowerCase();

/** What names are sorted and searched by. */
export const nameKey = (name: string): string => name.normalize('NFKC').trim().toLowerCase();

export type RightsGiven = {
  admin?: boolean | undefined;
  groups?: string[] | undefined;
  policies?: string[] | undefined;
};

/** The same of someone who is here: what their open invitation gives. */
export type RightsCarried = { admin: boolean; groups: unknown[]; policies: unknown[] };

const anyRights = ({ admin, groups, policies }: Partial<RightsCarried> | RightsGiven): boolean =>
  Boolean(admin || groups?.length || policies?.length);

/** Rights are given by whoever changes those of a user: inviting alone is no way around that. */
function ruleGiving(given: Partial<RightsCarried> | RightsGiven, caller: Caller): Refusal | null {
  const needs = 'admin.user.write';
  if (anyRights(given) && !decide(caller.rights, needs, ['admin:user']).allowed)
    return denied(caller, needs, 'admin:user');
  return ruleAdminFlag(given.admin || undefined, caller);
}

/** An invitation by a token carries no rights; an administrator is made by an administrator alone. */
export function ruleInvite(given: RightsGiven, caller: Caller): Refusal | null {
  if (anyRights(given) && caller.credential.kind !== 'session')
    return new Refusal(
      403,
      'session_only',
      'a token can’t grant permissions with an invitation: leave out admin, groups and policies, and ask an administrator to grant them in the app',
    );
  return ruleGiving(given, caller);
}

/** Without this, whoever may edit users could make themselves an administrator. */
export function ruleAdminFlag(admin: boolean | undefined, caller: Caller): Refusal | null {
  return admin === undefined || caller.rights.admin
    ? null
    : new Refusal(
        403,
        'policy_denied',
        'only an administrator can add or remove administrators: ask one of them',
      );
}

export type RosterStanding = {
  name: string;
  email: string;
  state: 'invited' | 'active' | 'disabled';
  admin: boolean;
};

/**
 * May this address, which someone has already, be invited by this caller? A new link of an open invitation is worth what
 * that invitation gives: who is no administrator could otherwise accept an administrator's themselves.
 */
export function ruleInviteAgain(there: RosterStanding & RightsCarried, caller: Caller): Refusal | null {
  if (there.state === 'active')
    return conflict(`${there.email} is already a user, ${there.name}: no invitation is needed`);
  if (there.state === 'disabled')
    return conflict(
      `${there.email} belongs to ${there.name}, who is disabled: an administrator can enable them under Users`,
    );
  if (anyRights(there) && caller.credential.kind !== 'session')
    return new Refusal(
      403,
      'session_only',
      'this invitation grants permissions, so a token can’t renew it: ask an administrator to renew it in the app',
    );
  return ruleGiving(there, caller);
}

/** `others` is how many active administrators stay beside this user. */
export function ruleLastAdmin(user: RosterStanding, stays: boolean, others: number): Refusal | null {
  if (stays || !user.admin || user.state !== 'active' || others > 0) return null;
  return conflict(`${user.name} is the last active administrator: make someone else an administrator first`);
}

export function ruleDisable(user: RosterStanding): Refusal | null {
  return user.state === 'invited'
    ? conflict(`${user.name} has not accepted the invitation yet: revoke the invitation instead`)
    : null;
}

export function ruleEnable(user: RosterStanding): Refusal | null {
  return user.state === 'invited'
    ? conflict(`${user.name} has not accepted the invitation yet: accepting it makes them active`)
    : null;
}

/** A time zone that this process can compute with, or the refusal that names the field. */
export function ruleTimezone(timezone: string): Refusal | null {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone });
    return null;
  } catch {
    const says = 'timezone must be a time zone name, such as Europe/Berlin';
    return invalid(says, { timezone: says });
  }
}
