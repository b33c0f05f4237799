// How a person is in the database and what they are outside of it. Everything that reads people selects these columns
// and maps them here.
import type { Reader } from '../../../kernel/database.ts';
import { knownPrincipalIn, type PrincipalColumns } from '../../../kernel/principal-row.ts';
import { personMark } from '../suppressions/store.ts';
import type { ListedPerson, Person } from './contract.ts';

/** A moment within JSON is written in the server's time zone. */
type Address = Person['addresses'][number];

export type PersonRow = Omit<Person, 'created_by' | 'created_at' | 'updated_at'> & {
  name_key: string;
  created_at: Date;
  updated_at: Date;
} & PrincipalColumns<'created_by'>;

/**
 * Of `people p`. What is in other tables comes by scalar subqueries: each is answered through an index for the rows of a
 * page alone, whatever the planner thinks of their number.
 */
export const personColumns = (db: Reader, now: Date, whole: boolean) => db`
  p.id, p.name, p.name_key, p.given, p.family, p.title, p.company_id, p.phone, p.links, p.timezone, p.language, p.country, p.source,
  p.basis, p.basis_note, p.tags, p.custom, p.do_not_merge, p.revision, p.created_by_kind, p.created_by_id, p.created_by_name,
  p.created_by_on_behalf_of, p.created_at, p.updated_at,
  (select jsonb_build_object('id', c.id, 'name', c.name) from companies c where c.id = p.company_id) as company,
  (select jsonb_build_object('id', u.id, 'name', u.name) from users u where u.id = p.owner) as owner,
  (select coalesce(jsonb_agg(jsonb_build_object('value', a.value, 'kind', a.kind, 'primary', a.is_primary, 'verification',
      case when a.verdict is not null then jsonb_build_object('verdict', a.verdict, 'reason', a.verdict_reason,
        'checked_at', a.verified_at, 'unknown', case when a.unknown_at is not null then
          jsonb_build_object('at', a.unknown_at, 'reason', a.unknown_reason) end) ${whole ? db`|| jsonb_build_object('rungs', a.rungs)` : db``} end)
      order by a.is_primary desc, a.position), '[]')
    from person_addresses a where a.person_id = p.id) as addresses,
  ${personMark(db, now)} as suppressed`;

export function toPerson(row: PersonRow): Person {
  const {
    name_key: _key,
    created_by_kind: _kind,
    created_by_id: _id,
    created_by_name: _name,
    created_by_on_behalf_of: _for,
    ...kept
  } = row;
  return {
    ...kept,
    addresses: row.addresses.map(withTime),
    created_by: knownPrincipalIn(row, 'created_by'),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** Of a row that was selected without rungs. */
export const toListed = (row: PersonRow): ListedPerson => toPerson(row);

const withTime = ({ verification, ...address }: Address): Address => ({
  ...address,
  verification: verification && {
    ...verification,
    checked_at: new Date(verification.checked_at).toISOString(),
    unknown: verification.unknown && {
      ...verification.unknown,
      at: new Date(verification.unknown.at).toISOString(),
    },
  },
});
