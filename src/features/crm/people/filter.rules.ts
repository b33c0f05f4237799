// What people can be filtered by: one catalogue for the list's filters, exports and segments. A filter as it was given is
// checked here, every fault at once, and becomes conditions whose values are of the right kind; filter.store.ts makes SQL of those.
import { z } from 'zod';
import { invalid, type Refusal } from '../../../kernel/refusal.ts';
import { date, id } from '../../../kernel/shapes.ts';
import { searchQuery } from '../../../kernel/words.ts';
import { normaliseDomain } from '../../../mail/address.rules.ts';
import type { CustomField } from '../fields/contract.ts';
import { valueOf } from '../fields/rules.ts';
import { moment } from '../../../kernel/shapes.ts';
import { BASES, VERDICTS } from './contract.ts';
import { FIELD_WEIGHT } from './rules.ts';

/** Columns that hold one of a few values, and whether no one may be without one. */
export const CHOICES = ['title', 'country', 'language', 'source', 'basis', 'owner', 'company_id'] as const;
type Choice = (typeof CHOICES)[number];

/** A checked condition. `not` turns it round; whoever has no value is then in. */
export type Check = { not: boolean } & (
  | { on: 'words'; query: string }
  | { on: 'choice'; column: Choice | 'id'; values: string[]; none: boolean }
  | { on: 'set'; column: Choice }
  | { on: 'tags'; how: 'any' | 'all' | 'set'; values: string[] }
  | { on: 'address'; normalised: string | null }
  | { on: 'email_domain'; domains: string[] }
  | { on: 'verdict'; values: string[]; none: boolean }
  | { on: 'suppressed' }
  | { on: 'has_address' }
  /** Enrolled into one of these campaigns, or any; at one of these stages, or any. */
  | { on: 'prospect'; campaigns: string[] | null; stages: string[] | null }
  | { on: 'time'; column: 'created_at' | 'updated_at'; how: 'from' | 'until'; at: string }
  | { on: 'custom'; key: string; how: 'set' }
  | { on: 'custom'; key: string; how: 'is' | 'any' | 'all'; values: string[] }
  | { on: 'custom'; key: string; how: 'bool'; value: boolean }
  | { on: 'custom'; key: string; how: 'less' | 'more'; number: number }
  | { on: 'custom'; key: string; how: 'before' | 'after'; day: string }
);

/** All of them, or any. A filter of no one is `{any: []}`, one of everyone `{all: []}`. */
export type Match = { all: Check[] } | { any: Check[] };

type Condition = { field: string; op: string; value?: unknown };
export type GivenFilter = { all: Condition[] } | { any: Condition[] };

/** Makes the check of a value, or says what the value must be. */
type Op = (value: unknown) => Check | { takes: string };
type Ops = Record<string, Op>;

const is = { not: false };
const isNot = { not: true };
const someTexts = (item: z.ZodType<string>) =>
  z.union([item.transform((one) => [one]), z.array(item).min(1).max(100)]);

/** An op whose value must be of a shape. */
function taking<T>(takes: string, shape: z.ZodType<T>, make: (value: T) => Check): Op {
  return (value) => {
    const parsed = shape.safeParse(value);
    return parsed.success ? make(parsed.data) : { takes };
  };
}

const without =
  (check: Check): Op =>
  (value) =>
    value === undefined || value === null ? check : { takes: 'no value' };

const text = z.string().trim().min(1).max(200);

function words(letter: string): Ops {
  const shape = text.transform((said) => searchQuery(said)).pipe(z.string());
  const query = (said: string): string => said.replaceAll("':*", `':*${letter}`);
  return {
    contains: taking('words, each of which begins a word there', shape, (said) => ({
      ...is,
      on: 'words',
      query: query(said),
    })),
    contains_not: taking('words', shape, (said) => ({ ...isNot, on: 'words', query: query(said) })),
  };
}

const isSet = (column: Choice): Ops => ({
  set: without({ ...is, on: 'set', column }),
  not_set: without({ ...isNot, on: 'set', column }),
});

function choice(column: Choice, takes: string, item: z.ZodType<string>): Ops {
  const make =
    (not: boolean) =>
    (values: string[]): Check => ({ not, on: 'choice', column, values, none: false });
  return {
    is: taking(`${takes}, or a list of them`, someTexts(item), make(false)),
    is_not: taking(`${takes}, or a list of them`, someTexts(item), make(true)),
  };
}

const when = (column: 'created_at' | 'updated_at'): Ops => ({
  before: taking('a date or a time', moment, (at) => ({ ...is, on: 'time', column, how: 'until', at })),
  after: taking('a date or a time', moment, (at) => ({ ...is, on: 'time', column, how: 'from', at })),
});

const aDomain = z
  .string()
  .max(300)
  .transform((said) => normaliseDomain(said))
  .refine((parsed) => parsed.ok)
  .transform((parsed) => (parsed.ok ? parsed.domain : ''));
const domains = z.union([aDomain.transform((one) => [one]), z.array(aDomain).min(1).max(100)]);

const truth = (on: 'suppressed' | 'has_address'): Ops => ({
  is: taking('true or false', z.boolean(), (yes) => ({ not: !yes, on })),
});

const many = (make: (how: 'any' | 'all', values: string[]) => Check, item: z.ZodType<string>): Ops => {
  const takes = 'a text, or a list of them';
  return {
    any: taking(takes, someTexts(item), (values) => make('any', values)),
    all: taking(takes, someTexts(item), (values) => make('all', values)),
    none: taking(takes, someTexts(item), (values) => ({ ...make('any', values), not: true })),
  };
};

const FIELDS: Record<string, Ops> = {
  name: words(FIELD_WEIGHT.name),
  title: { ...words(FIELD_WEIGHT.title), ...isSet('title') },
  company: {
    ...words(FIELD_WEIGHT.company),
    ...choice('company_id', "a company's id", id),
    ...isSet('company_id'),
  },
  email_domain: {
    is: taking('a domain, or a list of them', domains, (list) => ({
      ...is,
      on: 'email_domain',
      domains: list,
    })),
    is_not: taking('a domain, or a list of them', domains, (list) => ({
      ...isNot,
      on: 'email_domain',
      domains: list,
    })),
  },
  has_address: truth('has_address'),
  tags: {
    ...many((how, values) => ({ ...is, on: 'tags', how, values }), text),
    set: without({ ...is, on: 'tags', how: 'set', values: [] }),
    not_set: without({ ...isNot, on: 'tags', how: 'set', values: [] }),
  },
  country: {
    ...choice('country', 'a country, such as DE', z.string().regex(/^[A-Z]{2}$/)),
    ...isSet('country'),
  },
  language: { ...choice('language', 'a language, such as de', text), ...isSet('language') },
  source: { ...choice('source', 'a text', text), ...isSet('source') },
  basis: choice('basis', `one of ${BASES.join(', ')}`, z.enum(BASES)),
  owner: { ...choice('owner', "a user's id", id), ...isSet('owner') },
  verdict: {
    is: taking(`one of ${VERDICTS.join(', ')}, or a list of them`, someTexts(z.enum(VERDICTS)), (values) => ({
      ...is,
      on: 'verdict',
      values,
      none: false,
    })),
    not_set: without({ ...is, on: 'verdict', values: [], none: true }),
  },
  suppressed: truth('suppressed'),
  created: when('created_at'),
  updated: when('updated_at'),
};

function customOps(field: CustomField): Ops {
  const { key } = field;
  const on = { on: 'custom', key } as const;
  const value = valueOf(field.kind === 'multiselect' ? { ...field, kind: 'select' } : field);
  const asText = value.transform((one) => String(one)) as unknown as z.ZodType<string>;
  const equal: Ops = {
    is: taking('a value of the field, or a list of them', someTexts(asText), (values) => ({
      ...is,
      ...on,
      how: 'is',
      values,
    })),
    is_not: taking('a value of the field, or a list of them', someTexts(asText), (values) => ({
      ...isNot,
      ...on,
      how: 'is',
      values,
    })),
  };
  const presence: Ops = {
    set: without({ ...is, ...on, how: 'set' }),
    not_set: without({ ...isNot, ...on, how: 'set' }),
  };
  const day = (how: 'before' | 'after'): Op =>
    taking('a date as 2026-03-02', date, (said) => ({ ...is, ...on, how, day: said }));
  const number = (how: 'less' | 'more'): Op =>
    taking('a number', z.number(), (said) => ({ ...is, ...on, how, number: said }));
  const kinds: Record<CustomField['kind'], Ops> = {
    text: equal,
    url: equal,
    select: equal,
    number: { ...equal, less: number('less'), more: number('more') },
    date: { ...equal, before: day('before'), after: day('after') },
    bool: {
      is: taking('true or false', z.boolean(), (yes) => ({ ...is, ...on, how: 'bool', value: yes })),
    },
    multiselect: many((how, values) => ({ ...is, ...on, how, values }), asText),
  };
  return { ...kinds[field.kind], ...presence };
}

/** The ops that a field of people has; for screens, and for the sentence that names them. */
export function opsOf(field: string, custom: readonly CustomField[]): string[] | null {
  const ops = lookUp(field, custom);
  return ops && Object.keys(ops);
}

export const FILTER_FIELDS: readonly string[] = Object.keys(FIELDS);

function lookUp(field: string, custom: readonly CustomField[]): Ops | null {
  if (Object.hasOwn(FIELDS, field)) return FIELDS[field] ?? null;
  const own = custom.find((each) => `custom.${each.key}` === field);
  return own ? customOps(own) : null;
}

/** The conditions of a filter, or every fault of it by name. */
export function checkedFilter(
  filter: GivenFilter,
  custom: readonly CustomField[],
): { match: Match } | { faults: Record<string, string> } {
  const faults: Record<string, string> = {};
  const [how, given] = 'all' in filter ? (['all', filter.all] as const) : (['any', filter.any] as const);
  const checks: Check[] = [];
  for (const [at, { field, op, value }] of given.entries()) {
    const name = `filter.${how}.${at}`;
    const ops = lookUp(field, custom);
    if (!ops) {
      faults[`${name}.field`] =
        `${name}.field: no field has that name; the fields are ${FILTER_FIELDS.join(', ')} and custom.<key>`;
      continue;
    }
    const made = Object.hasOwn(ops, op) ? ops[op]?.(value) : undefined;
    if (!made) faults[`${name}.op`] = `${name}.op: this field has ${Object.keys(ops).join(', ')}`;
    else if ('takes' in made) faults[`${name}.value`] = `${name}.value: it takes ${made.takes}`;
    else checks.push(made);
  }
  if (Object.keys(faults).length > 0) return { faults };
  return { match: how === 'all' ? { all: checks } : { any: checks } };
}

/** So much one filter may cost: a look into another table for every person is three, a value of a field of one's own two. */
const FILTER_COST_MAX = 45;

function costOf({ on, ...check }: Check): number {
  if (['address', 'email_domain', 'verdict', 'suppressed', 'has_address', 'prospect'].includes(on)) return 3;
  return on === 'custom' && 'how' in check && check.how !== 'set' ? 2 : 1;
}

/** Whoever saves or counts a filter is asked this; what is saved already goes on. */
export function refusedAsCostly(match: Match): Refusal | null {
  const checks = 'all' in match ? match.all : match.any;
  const cost = checks.reduce((sum, check) => sum + costOf(check), 0);
  if (cost <= FILTER_COST_MAX) return null;
  const says = `filter: its cost is ${cost} and the limit is ${FILTER_COST_MAX} (a condition on domains, verdicts, suppressions or addresses costs 3, on a custom field 2, any other 1): remove some conditions`;
  return invalid(says, { filter: says });
}
