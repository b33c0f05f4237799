// What may be proposed, and how a proposal is shown. Pure.
import { isUuid } from '../../../kernel/ids.ts';
import { type AnyOperation, needsAction } from '../../../kernel/operation.ts';
import { conflict, invalid, Refusal } from '../../../kernel/refusal.ts';
import { AGENT_DOES_NOT_DECIDE } from '../../../kernel/sentences.ts';

export const ORIGINS = ['chat', 'script', 'token', 'session'] as const;
export const STEPS_MAX = 200;
export const EXPIRES_IN_HOURS_MAX = 720;
/** Proposals of one proposer that wait at the same time. */
export const MOST_OPEN = 50;

export const tooManyOpen = (most: number) =>
  new Refusal(
    429,
    'rate_limited',
    `${most} proposals of yours already wait for a person: withdraw some, or wait until they’re decided`,
  );

export const PLAN = 'plan';

const NEVER =
  'minting, permissions, passwords and second factors can’t be proposed: a person does that on screen';

/** Rights of others, and what lets someone in. */
const RIGHTS = ['admin.token.mint', 'admin.policy.', 'admin.group.', 'admin.user.write'];

/** Why no one may propose this, or null. */
export function refusedToPropose(operation: AnyOperation): Refusal | null {
  const { who, effect, answers, path, name } = operation;
  if (!('json' in answers)) return conflict('streams and files can’t be proposed: read them yourself');
  if (effect === 'read') return conflict(`${name} only reads, so no one signs it: call it yourself`);
  if (/^\/api\/chat(\/|$)/.test(path)) return conflict('chat turns can’t be proposed: start one yourself');
  if (/^\/api\/(proposals|rehearsals)(\/|$)/.test(path))
    return conflict('proposals can’t be proposed: call it yourself');
  if (who !== 'anyone') {
    if ('session_only' in who || 'never_a_token' in who) return new Refusal(403, 'session_only', NEVER);
    if ('people_only' in who && who.code === 'agent_turn')
      return new Refusal(403, 'agent_turn', AGENT_DOES_NOT_DECIDE);
  }
  const action = needsAction(operation);
  if (action === null || RIGHTS.some((begin) => action.startsWith(begin)))
    return new Refusal(403, 'session_only', NEVER);
  return null;
}

/** Keys under which secrets are in arguments; people who decide need not see them either. */
const SECRET = /secret|password|^(api_key|keys|token|private_key|code)$/i;

/** The id of a record, as this product makes them: which record it is must be read. A secret may be a UUID of another version. */
const isRecordId = (value: unknown): boolean => isUuid(value) && value[14] === '7';

const NOT_SHOWN = '(not shown)';

/** In an answer a `code` is the name of a refusal. */
const SECRET_ANSWER = /secret|password|^(api_key|token|private_key)$/i;

/** Arguments without their secrets, as people and agents are shown them. */
export const withoutSecrets = <T>(value: T): T => masked(value, SECRET);
export const answerWithoutSecrets = <T>(value: T): T => masked(value, SECRET_ANSWER);

function masked<T>(value: T, secret: RegExp): T {
  const shown = (each: unknown): unknown =>
    Array.isArray(each)
      ? each.map(shown)
      : typeof each === 'object' && each !== null
        ? Object.fromEntries(
            Object.entries(each).map(([key, one]) => [
              key,
              secret.test(key) && one !== null && typeof one !== 'boolean' && !isRecordId(one)
                ? NOT_SHOWN
                : shown(one),
            ]),
          )
        : each;
  return shown(value) as T;
}

type Json = Record<string, unknown>;

/** `steps.0.campaign.id`: the answer of a step before, and where in it. */
const FROM = /^steps\.(\d{1,3})((?:\.[A-Za-z0-9_]+)+)$/;

/**
 * The arguments of a step with what earlier steps answered in place of `{"$from": "…"}`. Throws a Refusal that names a reference
 * that leads nowhere. `known`: how many steps are before it; without answers only the references themselves are read.
 */
export function filled(given: unknown, answers: readonly unknown[], known: number): unknown {
  if (Array.isArray(given)) return given.map((each) => filled(each, answers, known));
  if (typeof given !== 'object' || given === null) return given;
  const entries = Object.entries(given as Json);
  if (!('$from' in given))
    return Object.fromEntries(entries.map(([key, each]) => [key, filled(each, answers, known)]));
  const from = String((given as Json)['$from']);
  const [, at = '', rest = ''] = FROM.exec(from) ?? [];
  if (at === '' || Number(at) >= known || entries.length > 1)
    throw invalid(
      `"$from": "${from.slice(0, 80)}" is no answer of an earlier step: write steps.<number>.<field>`,
    );
  if (answers.length <= Number(at)) return given;
  const found = rest
    .slice(1)
    .split('.')
    .reduce<unknown>(
      (value, key) => (typeof value === 'object' && value !== null ? (value as Json)[key] : undefined),
      answers[Number(at)],
    );
  if (found === undefined) throw invalid(`"$from": step ${at} answered no ${rest.slice(1).slice(0, 80)}`);
  return found;
}
