// From the arguments of a list or an export to the conditions that narrow it.
import { z } from 'zod';
import { keyIn } from '../../../kernel/page.ts';
import { invalid } from '../../../kernel/refusal.ts';
import { searchQuery } from '../../../kernel/words.ts';
import { parseAddress } from '../../../mail/address.ts';
import { loadSegmentMatch } from '../segments/store.ts';
import type { Looking, CampaignsRead } from './holders.ts';
import type { personExport } from './person-acts.contract.ts';
import type { Check, Match } from './filter.rules.ts';
import type { Sort } from './store.ts';

export type PeopleFilters = z.output<(typeof personExport)['takes']>;

const NOBODY: Match = { any: [] };

/** Throws where a segment is named that the caller may not read, or `me` is no one. */
export async function matchesOf(
  context: Looking,
  filters: PeopleFilters,
  campaigns: CampaignsRead,
): Promise<Match[]> {
  const checks = [
    ...checksOf(filters),
    ...ownerCheck(context, filters.owner),
    ...(await prospectCheck(context, filters, campaigns)),
  ];
  const matches: Match[] = [{ all: checks }];
  if (filters.query !== undefined) {
    const query = searchQuery(filters.query);
    matches.push(query === null ? NOBODY : { all: [{ not: false, on: 'words', query }] });
  }
  if (filters.segment !== undefined)
    matches.push(await loadSegmentMatch(context.db, context.caller, 'crm.segment.read', filters.segment));
  return matches;
}

function checksOf(filters: PeopleFilters): Check[] {
  const { tag, company, basis, country, source, verdict, suppressed, has_address, address } = filters;
  const not = false;
  const among = (column: 'id' | 'company_id' | 'basis' | 'country' | 'source', values?: string[]): Check[] =>
    values ? [{ not, on: 'choice', column, values, none: false }] : [];
  const since = (column: 'created_at' | 'updated_at', how: 'from' | 'until', at?: string): Check[] =>
    at ? [{ not, on: 'time', column, how, at }] : [];
  const parsed = address === undefined ? null : parseAddress(address);
  return [
    ...(parsed
      ? [{ not, on: 'address', normalised: parsed.ok ? parsed.address.normalised : null } as const]
      : []),
    ...(tag ? [{ not, on: 'tags', how: 'any', values: tag } as const] : []),
    ...among('id', filters.id),
    ...among('company_id', company),
    ...among('basis', basis),
    ...among('country', country),
    ...among('source', source),
    ...(verdict
      ? [
          {
            not,
            on: 'verdict',
            values: verdict.filter((each) => each !== 'none'),
            none: verdict.includes('none'),
          } as const,
        ]
      : []),
    ...(suppressed === undefined ? [] : [{ not: !suppressed, on: 'suppressed' } as const]),
    ...(has_address === undefined ? [] : [{ not: !has_address, on: 'has_address' } as const]),
    ...since('created_at', 'from', filters.created_after),
    ...since('created_at', 'until', filters.created_before),
    ...since('updated_at', 'from', filters.updated_after),
    ...since('updated_at', 'until', filters.updated_before),
  ];
}

function ownerCheck(context: Looking, owners: PeopleFilters['owner']): Check[] {
  if (!owners) return [];
  const me = context.caller.user_id;
  if (owners.includes('me') && me === null) {
    const says = 'owner: this token has no user, so "me" matches no one: give a user’s id';
    throw invalid(says, { owner: says });
  }
  const values = owners.flatMap((each) => (each === 'none' ? [] : each === 'me' ? (me ?? []) : each));
  return [{ not: false, on: 'choice', column: 'owner', values, none: owners.includes('none') }];
}

async function prospectCheck(
  context: Looking,
  filters: PeopleFilters,
  read: CampaignsRead,
): Promise<Check[]> {
  const { stage, campaign } = filters;
  if (stage === undefined && campaign === undefined) return [];
  return [
    { not: false, on: 'prospect', campaigns: await read(context, campaign ?? null), stages: stage ?? null },
  ];
}

export function cursorKey(cursor: string | undefined, sort: Sort): readonly [string, string] | null {
  return sort === 'name'
    ? keyIn(cursor, () => z.tuple([z.string(), z.guid()]))
    : keyIn(cursor, () => z.tuple([z.iso.datetime(), z.guid()]));
}
