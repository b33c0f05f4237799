// How a card and an item stand in the database and what they are outside of it. Everything that reads items selects these
// columns and maps them here; a time comes as a Date from a row and as text from a row within JSON.
import { knownPrincipalIn, type PrincipalColumns, principalIn } from '../../../../kernel/principal-row.ts';
import type { Card, Status } from '../contract.ts';
import type { Item } from '../items.contract.ts';

type Moment = Date | string;

export type CardRow = PrincipalColumns<'assignee' | 'claim'> & {
  id: string;
  key: string;
  title: string;
  status: Status;
  priority: Card['priority'];
  labels: string[];
  claim_since: Moment | null;
  claim_expires_at: Moment | null;
  approval_id: string | null;
  due_on: string | null;
  needs_review: boolean;
  revision: number;
  position: number;
};

export type ItemRow = CardRow &
  PrincipalColumns<'author'> & {
    project_id: string;
    description: string;
    parent_id: string | null;
    blocked_by: string[];
    links: Item['links'];
    custom: Item['custom'];
    created_at: Date;
    updated_at: Date;
    completed_at: Date | null;
  };

export const iso = (moment: Moment): string => new Date(moment).toISOString();

/** Expired claims are left in: who shows the card asks `liveClaim`. */
export function toCard(row: CardRow): Card {
  const { id, key, title, status, priority, labels, approval_id, due_on, needs_review, revision, position } =
    row;
  const holder = principalIn(row, 'claim');
  const claim =
    holder && row.claim_since && row.claim_expires_at
      ? { holder, since: iso(row.claim_since), expires_at: iso(row.claim_expires_at) }
      : null;
  const assignee = principalIn(row, 'assignee');
  return {
    id,
    key,
    title,
    status,
    priority,
    labels,
    assignee,
    claim,
    approval_id,
    due_on,
    needs_review,
    revision,
    position,
  };
}

export function toItem(row: ItemRow): Item {
  return {
    ...toCard(row),
    project_id: row.project_id,
    description: row.description,
    author: knownPrincipalIn(row, 'author'),
    parent_id: row.parent_id,
    blocked_by: row.blocked_by,
    links: row.links,
    custom: row.custom,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
    completed_at: row.completed_at && iso(row.completed_at),
  };
}
