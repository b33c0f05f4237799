// How one check of a campaign is said: it holds, it fails with what lifts it and who can, or there was nothing to ask it of.
import type { Check, CheckCode } from '../checks.contract.ts';

type Who = Check['who'];

export const check = (
  code: CheckCode,
  required: boolean,
  fault: { count?: number | null; says: string; fix: string; who?: Who } | null,
  holds: string,
): Check =>
  fault === null
    ? { code, ok: true, required, sentence: holds, fix: '', who: 'person', count: null }
    : {
        code,
        ok: false,
        required,
        sentence: fault.says,
        fix: fault.fix,
        who: fault.who ?? 'person',
        count: fault.count ?? null,
      };

/** A check of what is not there says so: nothing is green that no one looked at. */
export const unless = (missing: string | null, { code, required, ...rest }: Check): Check =>
  missing === null
    ? { code, required, ...rest }
    : { code, ok: null, required, sentence: missing, fix: '', who: 'person', count: null };

/** What refuses a start, what only advises, what could not be asked, and what holds. */
export const worstFirst = (checks: readonly Check[]): Check[] => {
  const rank = ({ ok, required }: Check): number => (ok === false ? (required ? 0 : 1) : ok === null ? 2 : 3);
  return checks.toSorted((a, b) => rank(a) - rank(b));
};

export const NO_SENDER = 'Not checked: the pool has no identity.';
export const NONE_ACTIVE = 'Not checked: no identity in the pool is active.';
export const NO_STEP = 'Not checked: the campaign has no steps.';
export const NO_LETTER = 'Not checked: the campaign has no letter step.';
export const NO_PEOPLE = 'Not checked: no one is enrolled.';

export const many = (n: number, one: string, more: string): string => `${n} ${n === 1 ? one : more}`;
