// A draft as one short list of values, so that fifty thousand of them pass between threads, and wait in the database, as a
// little text: what a row says nothing of is at the end of its list and is left out. Half the size of the same drafts
// as objects, and read and written in half the time.
import type { ImportDraft, DraftAddress } from './draft.ts';

type PackedAddress = [
  id: string,
  value: string | null,
  normalised: string,
  domain: string,
  hash: string,
  kind: DraftAddress['kind'],
];

type Text = string | null;

/** In the order in which most rows speak of them; null is as good as empty. */
type Packed = [
  row: number,
  id: string,
  addresses: PackedAddress[],
  name?: Text,
  name_key?: Text,
  search?: Text,
  given?: Text,
  family?: Text,
  company?: ImportDraft['company'],
  title?: Text,
  phone?: Text,
  country?: Text,
  language?: Text,
  timezone?: Text,
  source?: Text,
  basis?: ImportDraft['basis'],
  basis_note?: Text,
  same_as?: number | null,
  rejected?: ImportDraft['rejected'],
  links?: string[] | null,
  tags?: string[] | null,
  notes?: ImportDraft['notes'] | null,
  custom?: ImportDraft['custom'] | null,
  unsubscribed?: true | null,
];

export function pack(draft: ImportDraft): Packed {
  const packed: Packed = [
    draft.row,
    draft.id,
    draft.addresses.map(packedAddress),
    draft.name,
    draft.name_key,
    draft.search,
    draft.given,
    draft.family,
    draft.company,
    draft.title,
    draft.phone,
    draft.country,
    draft.language,
    draft.timezone,
    draft.source,
    draft.basis,
    draft.basis_note,
    draft.same_as,
    draft.rejected,
    filled(draft.links),
    filled(draft.tags),
    filled(draft.notes),
    Object.keys(draft.custom).length === 0 ? null : draft.custom,
    draft.unsubscribed || null,
  ];
  while (packed.at(-1) === null) packed.pop();
  return packed;
}

const filled = <T>(list: T[]): T[] | null => (list.length === 0 ? null : list);

const packedAddress = ({ id, value, normalised, domain, hash, kind }: DraftAddress): PackedAddress => [
  id,
  value === normalised ? null : value,
  normalised,
  domain,
  hash,
  kind,
];

/** `packed` is what `pack` gave, or the same read from its JSON. Spelled out: objects of one shape are made fastest. */
export function unpack(packed: Packed): ImportDraft {
  return {
    row: packed[0],
    id: packed[1],
    addresses: packed[2].map(([id, value, normalised, domain, hash, kind]) => ({
      id,
      value: value ?? normalised,
      normalised,
      domain,
      hash,
      kind,
    })),
    name: packed[3] ?? null,
    name_key: packed[4] ?? null,
    search: packed[5] ?? null,
    given: packed[6] ?? null,
    family: packed[7] ?? null,
    company: packed[8] ?? null,
    title: packed[9] ?? null,
    phone: packed[10] ?? null,
    country: packed[11] ?? null,
    language: packed[12] ?? null,
    timezone: packed[13] ?? null,
    source: packed[14] ?? null,
    basis: packed[15] ?? null,
    basis_note: packed[16] ?? null,
    same_as: packed[17] ?? null,
    rejected: packed[18] ?? null,
    links: packed[19] ?? [],
    tags: packed[20] ?? [],
    notes: packed[21] ?? [],
    custom: packed[22] ?? {},
    unsubscribed: packed[23] === true,
  };
}

export const packedText = (drafts: readonly ImportDraft[]): string => JSON.stringify(drafts.map(pack));
export const unpackText = (text: string): ImportDraft[] => (JSON.parse(text) as Packed[]).map(unpack);
