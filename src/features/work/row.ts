// How a card and an item stand in the database and what they are outside of it. Everything that reads items selects these
// columns and maps them here; a time comes as a Date from a row and as text from a row within JSON.
import type { PrincipalKind } from '../../kernel/caller.ts';
import type { Card, Status } from './contract.ts';
import type { Item } from './items.contract.ts';

type Moment = Date | string;

export type CardRow = {
  id: string;
  key: string;
  title: string;
  status: Status;
  priority: Card['priority'];
  labels: string[];
  assignee_kind: PrincipalKind | null;
  assignee_id: string | null;
  assignee_name: string | null;
  claim_kind: PrincipalKind | null;
  claim_id: string | null;
  claim_name: string | null;
  claim_since: Moment | null;
  claim_expires_at: Moment | null;
  approval_id: string | null;
  due_on: string | null;
  revision: number;
  position: number;
};

export type ItemRow = CardRow & {
  project_id: string;
  description: string;
  author_kind: PrincipalKind;
  author_id: string;
  author_name: string;
  parent_id: string | null;
  blocked_by: string[];
  links: Item['links'];
  custom: Item['custom'];
  needs_review: boolean;
  created_at: Date;
  updated_at: Date;
  completed_at: Date | null;
};

type Named = { kind: PrincipalKind; id: string; name: string };

export function principalOf(
  kind: PrincipalKind | null,
  id: string | null,
  name: string | null,
): Named | null {
  return kind !== null && id !== null && name !== null ? { kind, id, name } : null;
}

export const iso = (moment: Moment): string => new Date(moment).toISOString();

/** Expired claims are left in: who shows the card asks `liveClaim`. */
export function toCard(row: CardRow): Card {
  const { id, key, title, status, priority, labels, approval_id, due_on, revision, position } = row;
  const holder = principalOf(row.claim_kind, row.claim_id, row.claim_name);
  const claim =
    holder && row.claim_since && row.claim_expires_at
      ? { holder, since: iso(row.claim_since), expires_at: iso(row.claim_expires_at) }
      : null;
  const assignee = principalOf(row.assignee_kind, row.assignee_id, row.assignee_name);
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
    revision,
    position,
  };
}

export function toItem(row: ItemRow): Item {
  return {
    ...toCard(row),
    project_id: row.project_id,
    description: row.description,
    author: { kind: row.author_kind, id: row.author_id, name: row.author_name },
    parent_id: row.parent_id,
    blocked_by: row.blocked_by,
    links: row.links,
    custom: row.custom,
    needs_review: row.needs_review,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
    completed_at: row.completed_at && iso(row.completed_at),
  };
}
