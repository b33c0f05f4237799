// Conditions on people as SQL: pieces with parameters, never a text put together. Each is asked of one row of `people p`;
// what is in other tables is asked by a scalar subquery, which is answered through an index row by row, so that a page
// of a long list is read without going through those tables.
import type { Reader } from '../../../kernel/database.ts';
import { addressIsSuppressed } from '../suppressions/store.ts';
import type { Check, Match } from './filter.rules.ts';

type Sql = ReturnType<Reader>;

/** For `where`: everything that `matches` says holds. */
export function matching(db: Reader, matches: readonly Match[], now: Date): Sql {
  return matches
    .map((match) => matchSql(db, match, now))
    .reduce((all, one) => db`${all} and ${one}`, db`true`);
}

function matchSql(db: Reader, match: Match, now: Date): Sql {
  if ('all' in match)
    return match.all
      .map((check) => turned(db, check, now))
      .reduce((all, one) => db`${all} and ${one}`, db`true`);
  const any = match.any.map((check) => turned(db, check, now));
  return db`(${any.reduce((some, one) => db`${some} or ${one}`, db`false`)})`;
}

function turned(db: Reader, check: Check, now: Date): Sql {
  const sql = checkSql(db, check, now);
  return check.not ? db`(${sql}) is not true` : db`(${sql})`;
}

const UUIDS = ['id', 'owner', 'company_id'];

function checkSql(db: Reader, check: Check, now: Date): Sql {
  switch (check.on) {
    case 'words':
      return db`p.search @@ ${check.query}::tsquery`;
    case 'choice': {
      const { column, values } = check;
      const type = UUIDS.includes(column) ? db`uuid[]` : db`text[]`;
      const held: Sql = db`p.${db(column)} = any(${values}::${type})`;
      return check.none ? db`${held} or p.${db(column)} is null` : held;
    }
    case 'set':
      return db`p.${db(check.column)} is not null`;
    case 'tags':
      if (check.how === 'set') return db`cardinality(p.tags) > 0`;
      return check.how === 'all'
        ? db`p.tags @> ${check.values}::text[]`
        : db`p.tags && ${check.values}::text[]`;
    case 'address':
      return db`p.id = (select a.person_id from person_addresses a where a.normalised = ${check.normalised})`;
    case 'email_domain':
      return db`(select a.person_id from person_addresses a
        where a.person_id = p.id and a.domain = any(${check.domains}::text[]) limit 1) is not null`;
    case 'verdict': {
      const held: Sql = db`(select a.verdict from person_addresses a where a.person_id = p.id and a.is_primary)`;
      if (!check.none) return db`${held} = any(${check.values}::text[])`;
      return check.values.length > 0
        ? db`${held} = any(${check.values}::text[]) or ${held} is null`
        : db`${held} is null`;
    }
    case 'suppressed':
      return db`(select true from person_addresses a
        where a.person_id = p.id and ${addressIsSuppressed(db, now)} limit 1) is not null`;
    case 'has_address':
      return db`(select a.person_id from person_addresses a where a.person_id = p.id limit 1) is not null`;
    case 'prospect':
      return db`(select q.id from prospects q where q.person_id = p.id
        ${check.campaigns === null ? db`` : db`and q.campaign_id = any(${check.campaigns}::uuid[])`}
        ${check.stages === null ? db`` : db`and q.stage = any(${check.stages}::text[])`} limit 1) is not null`;
    case 'time':
      return check.how === 'from'
        ? db`p.${db(check.column)} >= ${check.at}`
        : db`p.${db(check.column)} < ${check.at}`;
    case 'custom':
      return customSql(db, check);
  }
}

/** A value that does not have its field's kind (any longer) matches nothing, and breaks nothing. */
function customSql(db: Reader, check: Check & { on: 'custom' }): Sql {
  const { key } = check;
  const value = db`p.custom -> ${key}::text`;
  const text = db`p.custom ->> ${key}::text`;
  switch (check.how) {
    case 'set':
      return db`p.custom ? ${key}::text`;
    case 'is':
      return db`${text} = any(${check.values}::text[])`;
    case 'any':
      return db`${value} ?| ${check.values}::text[]`;
    case 'all':
      return db`${value} ?& ${check.values}::text[]`;
    case 'bool':
      return db`${value} = to_jsonb(${check.value}::boolean)`;
    case 'less':
      return db`case when jsonb_typeof(${value}) = 'number' then (${text})::numeric < ${check.number}::float8::numeric end`;
    case 'more':
      return db`case when jsonb_typeof(${value}) = 'number' then (${text})::numeric > ${check.number}::float8::numeric end`;
    case 'before':
      return db`(${text}) collate "C" < ${check.day}`;
    case 'after':
      return db`(${text}) collate "C" > ${check.day}`;
  }
}
