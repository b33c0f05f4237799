// What may be minted, by whom (interface specification §2.2, §5; domain.md §4.4). Pure: values in, a refusal or null out.
import type { Caller } from '../../../kernel/caller.ts';
import { DAY_MS, after } from '../../../kernel/clock.ts';
import { Refusal, invalid } from '../../../kernel/refusal.ts';

export type MintAsked = {
  mode: 'user' | 'service';
  user_id?: string | undefined;
  policies?: string[] | undefined;
  scopes?: { wire?: boolean | undefined; scripts?: boolean | undefined } | undefined;
};

/** Whose token it becomes: a user's id, or null for a service token. Throws what keeps it from being minted. */
export function ruleMint(asked: MintAsked, caller: Caller): string | null {
  if (!caller.rights.admin)
    throw new Refusal(
      403,
      'policy_denied',
      'only an administrator can mint tokens: ask one to mint yours in Settings → Access & Security → API',
    );
  if (caller.credential.kind === 'provisioning_key' && (asked.scopes?.wire || asked.scopes?.scripts))
    throw new Refusal(
      403,
      'session_only',
      'the provisioning key can only mint tokens without scopes: sign in through the browser to mint one with scopes',
    );
  if (asked.mode === 'service') {
    if (asked.user_id !== undefined)
      throw fault('user_id', 'user_id requires mode "user": a service token is not bound to a user');
    return null;
  }
  if (asked.policies?.length)
    throw fault(
      'policies',
      'policies requires mode "service": a token bound to a user has the user’s policies',
    );
  const user = asked.user_id ?? caller.user_id;
  if (user === null)
    throw fault('user_id', 'user_id is required with the provisioning key: name the user the token is for');
  return user;
}

const fault = (field: string, says: string): Refusal => invalid(says, { [field]: says });

/** `days` absent or 0 never expires. */
export const expiryOf = (days: number | undefined, now: Date): Date | null =>
  days ? after(now, days * DAY_MS) : null;
