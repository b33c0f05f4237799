// The refusal for a caller whose policies don’t allow an act.
import { type Caller, nameOf } from './caller.ts';
import { deniedTo } from './policy.ts';
import type { Refusal } from './refusal.ts';

export const denied = (caller: Caller, action: string, name?: string): Refusal =>
  deniedTo(caller.rights, nameOf(caller), action, name);
