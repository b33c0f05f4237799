// The export: people as CSV, written page by page as it is read, so that a hundred thousand take no more memory than a few
// hundred. Who asked for it, how many there were and by which filters is in the audit log before the first byte.
import { BYTE_ORDER_MARK, csvLine, csvName, filtersInWords } from '../../../kernel/csv.ts';
import { bind, type Bound, type ReadContext } from '../../../kernel/context.ts';
import type { CustomField } from '../fields/contract.ts';
import { fieldsOf } from '../fields/store.ts';
import { personExport } from './person-acts.contract.ts';
import type { ListedPerson } from './contract.ts';
import type { Match } from './filter.rules.ts';
import type { CampaignsRead } from './holders.ts';
import { matchesOf } from './search.ts';
import { countPeople, listPeople } from './store.ts';

const ROWS_AT_ONCE = 500;

export const exportPeople = (campaigns: CampaignsRead): Bound =>
  bind(personExport, async (context, filters) => {
    const matches = await matchesOf(context, filters, campaigns);
    const count = await countPeople(context.db, context.caller, 'crm.person.export', matches, context.now);
    context.account(`${count} people as CSV${filtersInWords(filters)}`);
    const fields = await fieldsOf(context.db, 'person');
    return { filename: csvName('people', context.now), pieces: pieces(context, matches, fields) };
  });

async function* pieces(
  context: ReadContext,
  matches: readonly Match[],
  fields: readonly CustomField[],
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine([...COLUMNS.keys(), ...fields.map((field) => `custom.${field.key}`)]);
  let after: readonly [string, string] | null = null;
  for (;;) {
    const rows = await listPeople(
      context.db,
      context.caller,
      'crm.person.export',
      { matches, sort: 'name', after, count: ROWS_AT_ONCE },
      context.now,
    );
    yield rows.map((row) => csvLine(cellsOf(row.person, fields))).join('');
    if (rows.length < ROWS_AT_ONCE) return;
    after = rows.at(-1)?.key ?? null;
  }
}

const COLUMNS = new Map<string, (person: ListedPerson) => string | null>([
  ['id', (p) => p.id],
  ['name', (p) => p.name],
  ['given', (p) => p.given],
  ['family', (p) => p.family],
  ['email', (p) => p.addresses[0]?.value ?? null],
  [
    'other_emails',
    (p) =>
      p.addresses
        .slice(1)
        .map((each) => each.value)
        .join(' '),
  ],
  ['verification', (p) => p.addresses[0]?.verification?.verdict ?? null],
  ['suppressed', (p) => p.suppressed?.reason ?? null],
  ['title', (p) => p.title],
  ['company', (p) => p.company?.name ?? null],
  ['phone', (p) => p.phone],
  ['links', (p) => p.links.join(' ')],
  ['country', (p) => p.country],
  ['language', (p) => p.language],
  ['timezone', (p) => p.timezone],
  ['source', (p) => p.source],
  ['basis', (p) => p.basis],
  ['basis_note', (p) => p.basis_note],
  ['tags', (p) => p.tags.join('; ')],
  ['owner', (p) => p.owner?.name ?? null],
  ['created_at', (p) => p.created_at],
  ['updated_at', (p) => p.updated_at],
]);

const cellsOf = (person: ListedPerson, fields: readonly CustomField[]): (string | null)[] => [
  ...[...COLUMNS.values()].map((cell) => cell(person)),
  ...fields.map((field) => customCell(person.custom[field.key])),
];

function customCell(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value.join('; ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
