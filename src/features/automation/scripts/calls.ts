// What a script may call: operations by name, each through `invoke` as an agent’s turn of the script’s caller. The caller is
// looked up before every call, so a deleted token, a disabled or signed-out person or a revoked scope stops the script at its
// next call.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Caller, Principal } from '../../../kernel/caller.ts';
import type { App } from '../../../kernel/app.ts';
import { freshRequest, invoke } from '../../../kernel/invoke.ts';
import type { AnyOperation } from '../../../kernel/operation.ts';
import { refusedBeforeReading } from '../../../kernel/gates.ts';
import { Refusal, notFound, stop } from '../../../kernel/refusal.ts';
import type { RequestFacts } from '../../../kernel/context.ts';
import type { Told } from '../../../lua/run.ts';
import { rehearse } from '../../../kernel/rehearse.ts';
import { answerWithoutSecrets } from '../../work/proposals/rules.ts';
import { type Change, changesInWords } from '../../work/proposals/words.rules.ts';
import { callerNow } from '../../access/policies/standing.ts';
import { sessionStands } from '../../access/sessions/store.ts';
import { scriptRun } from './contract.ts';
import { notFromAScript } from './rules.ts';

const SOURCE = { turn: 'agent', surface: 'lua' } as const;

export type RehearsedCall = {
  act: string;
  needs: string[];
  changes: Change[];
  events: { kind: string; count: number }[];
};

/** `request`: the one that brought the script. `rehearsed`: calls that write are rehearsed, each alone, and told there. */
export function callsOf(
  app: App,
  caller: Caller,
  request: RequestFacts,
  rehearsed: RehearsedCall[] | null = null,
) {
  const base = keyBase(request.idempotency_key);
  let count = 0;
  return async (name: string, given: unknown, signal: AbortSignal): Promise<Told> => {
    count += 1;
    // The same script sent again under its key finds its own answers, call by call, in place of doing all of it twice.
    const idempotency_key = base && `${base}-${count}`;
    const facts = freshRequest({ ...request, idempotency_key, signal });
    try {
      const op = app.bound.get(name)?.operation;
      if (!op) throw notFound('operation', 'GET /openapi.json lists operations', 'name');
      const now = await standing(app, caller, request);
      const never = notFromAScript(op, now);
      if (never) throw never;
      if (rehearsed && op.effect !== 'read')
        return await rehearsedCall(app, op, now, withLists(op, given), facts, rehearsed);
      const { answer } = await invoke(app, op, now, () => withLists(op, given), facts);
      return { ok: true, answer };
    } catch (error) {
      // Faults are logged and audited by invoke; none of their text is shown.
      return error instanceof Refusal
        ? { ok: false, sentence: error.sentence, code: error.code }
        : {
            ok: false,
            sentence: 'something broke on our side; the operator can find it in the log',
            code: 'fault',
          };
    }
  };
}

/** As the call would be answered; where it can't be rehearsed the script hears why. */
async function rehearsedCall(
  app: App,
  operation: AnyOperation,
  caller: Caller,
  given: unknown,
  facts: RequestFacts,
  told: RehearsedCall[],
): Promise<Told> {
  const [came] = await rehearse(app, [{ operation, given: () => given }], caller, facts);
  if (!came) throw new Error('a call was rehearsed as none');
  const { act, needs, tables, events, would, refused, because } = came;
  if (refused) return { ok: false, sentence: refused.message, code: refused.code };
  if (would === null) return { ok: false, sentence: because ?? '', code: 'conflict' };
  told.push({ act, needs, changes: changesInWords(tables), events });
  return { ok: true, answer: answerWithoutSecrets(would.answer) };
}

async function standing(app: App, caller: Caller, { caller_now }: RequestFacts): Promise<Caller> {
  // A step of a workflow has the smallest rights of everyone behind it: it knows how they are looked up.
  if (caller_now) return scripted({ ...(await caller_now()), ...SOURCE }, app);
  const { credential } = caller;
  const { reader } = app.database;
  const at = app.clock.now();
  const token = credential.kind === 'token' ? credential.id : null;
  const signedOut = credential.kind === 'session' && !(await sessionStands(reader, credential.id, at));
  const now = signedOut ? null : await callerNow(reader, { by: asAgent(caller), token }, SOURCE, at);
  if (!now)
    throw new Refusal(
      401,
      'unauthorized',
      'the caller who ran this script no longer has permission to do anything',
    );
  return narrowed(scripted(now, app), caller);
}

/** Who may run no script any more goes on with none. */
function scripted(now: Caller, { clock }: App): Caller {
  stop(refusedBeforeReading(scriptRun, now, clock.now()));
  return now;
}

/** A token has the wire here only where the hands that ran the script had it: those of a chat have it laid down. */
function narrowed(now: Caller, { credential }: Caller): Caller {
  if (now.credential.kind !== 'token') return now;
  const { scopes } = now.credential;
  const wire = scopes.wire && credential.kind === 'token' && credential.scopes.wire;
  return { ...now, credential: { ...now.credential, scopes: { ...scopes, wire } } };
}

/** A script run with someone's token is that token's doing. */
function asAgent({ principal, credential }: Caller): Principal {
  if (credential.kind !== 'token' || principal.kind !== 'person') return principal;
  const { id, name } = principal;
  return {
    kind: 'agent',
    id: credential.id,
    name: credential.name,
    on_behalf_of: { kind: 'person', id, name },
  };
}

const keyBase = (key: string | null): string | null =>
  key && `script-${createHash('sha256').update(key).digest('hex').slice(0, 32)}`;

const lists = new WeakMap<AnyOperation, ReadonlySet<string>>();

/** An empty table of Lua may be a list: the operation's own schema says which of its arguments are. */
function withLists(op: AnyOperation, given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const known = lists.get(op) ?? listsOf(op);
  lists.set(op, known);
  const isEmpty = (value: unknown): boolean =>
    typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => [key, known.has(key) && isEmpty(value) ? [] : value]),
  );
}

function listsOf(op: AnyOperation): ReadonlySet<string> {
  const { properties = {} } = z.toJSONSchema(op.takes, { io: 'input', unrepresentable: 'any' });
  return new Set(
    Object.entries(properties).flatMap(([key, each]) =>
      typeof each === 'object' && each.type === 'array' ? [key] : [],
    ),
  );
}
