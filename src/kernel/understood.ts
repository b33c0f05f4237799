// What an agent or a person wrote, as an operation takes it: ids in place of names, times in place of `yesterday`. Entry points
// pass arguments through here on their way to `invoke`, after the gates that need none.
import type { App } from './app.ts';
import { type Asked, withIds } from './by-name.ts';
import type { Caller } from './caller.ts';
import { withTimes } from './spoken-time.ts';

export const understood = (app: App, op: Asked, caller: Caller, given: unknown): Promise<unknown> =>
  withIds(app, op, caller, withTimes(op, given, app.clock.now()));
