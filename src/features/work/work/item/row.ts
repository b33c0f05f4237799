// How a card and an item are in the database and what they are outside of it. Everything that reads items selects these
// columns and maps them here; a time comes as a Date from a row and as text from a row within JSON.
import { knownPrincipalIn, type PrincipalColumns, principalIn } from '../../../../kernel/principal-row.ts';
import type { Card } from '../contract.ts';
import type { Item } from '../items.contract.ts';
import { PLAIN } from './changes.rules.ts';

type Moment = Date | string;

/** Of a card, beside its id, its key, and whose it is. */
const OF_CARD = [
  'title',
  'status',
  'priority',
  'labels',
  'approval_id',
  'due_on',
  'needs_review',
  'revision',
  'position',
] as const satisfies (keyof Card)[];
const OF_ITEM = [
  ...PLAIN.filter((field) => !(OF_CARD as readonly string[]).includes(field)),
  'project_id',
] as const;

/** As the row has them, for `work_items i`. */
export const CARD_COLUMNS = OF_CARD.map((name) => `i.${name}`);
export const ITEM_COLUMNS = OF_ITEM.map((name) => `i.${name}`);

export type CardRow = PrincipalColumns<'assignee' | 'claim'> &
  Pick<Card, 'id' | 'key' | (typeof OF_CARD)[number]> & {
    claim_since: Moment | null;
    claim_expires_at: Moment | null;
  };

export type ItemRow = CardRow &
  PrincipalColumns<'author'> &
  Pick<Item, (typeof OF_ITEM)[number] | 'blocked_by'> & {
    created_at: Date;
    updated_at: Date;
    completed_at: Date | null;
  };

/** What of a row is as it is there. */
const picked = <Row extends object, Name extends keyof Row>(
  row: Row,
  names: readonly Name[],
): Pick<Row, Name> => Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, Name>;

export const iso = (moment: Moment): string => new Date(moment).toISOString();

/** Expired claims are left in: who shows the card asks `liveClaim`. */
export function toCard(row: CardRow): Card {
  const holder = principalIn(row, 'claim');
  const claim =
    holder && row.claim_since && row.claim_expires_at
      ? { holder, since: iso(row.claim_since), expires_at: iso(row.claim_expires_at) }
      : null;
  const assignee = principalIn(row, 'assignee');
  return { id: row.id, key: row.key, ...picked(row, OF_CARD), assignee, claim };
}

export function toItem(row: ItemRow): Item {
  return {
    ...toCard(row),
    ...picked(row, OF_ITEM),
    author: knownPrincipalIn(row, 'author'),
    blocked_by: row.blocked_by,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
    completed_at: row.completed_at && iso(row.completed_at),
  };
}
