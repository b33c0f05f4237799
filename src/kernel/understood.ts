// Turns what an agent or a person wrote into what an operation takes: names into ids, `yesterday` into times. Entry points pass
// arguments through here before `invoke`, after the gates that need no arguments.
import type { App } from './app.ts';
import { type Asked, withIds } from './by-name.ts';
import type { Caller } from './caller.ts';
import { withTimes } from './spoken-time.ts';

export const understood = (app: App, op: Asked, caller: Caller, given: unknown): Promise<unknown> =>
  withIds(app, op, caller, withTimes(op, given, app.clock.now()));
