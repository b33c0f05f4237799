// What a report of a letter's fate does (domain.md §6.3), pure: to its address, its person, and the account of the warden.

export const KINDS = ['accepted', 'delivered', 'soft', 'hard', 'policy', 'complaint'] as const;
export type DeliveryKind = (typeof KINDS)[number];

export const SOURCES = ['session', 'report', 'vendor'] as const;
export type DeliverySource = (typeof SOURCES)[number];

/** How the letter was found. `recipient` is a guess, by what was last written to an address. */
export const PLACED_BY = ['id', 'verp', 'message_id', 'recipient'] as const;
export type PlacedBy = (typeof PLACED_BY)[number];

export type Delivery = {
  /** The source's own key of what it says: said again, it does nothing. */
  key: string;
  kind: DeliveryKind;
  source: DeliverySource;
  /**
   * The letter's id, where the source knows it, and how; else the Message-IDs that it names, most trustworthy first, with or
   * without their angle brackets.
   */
  send: { id: string; by: 'id' | 'verp' } | { message_ids: readonly string[] };
  /** RFC 3463. */
  status: string | null;
  /** In our words (src/mail/reports/report.ts). */
  cause: string | null;
  /** The server's own words (src/mail/reports/words.ts): data to be shown, forgotten with the person. */
  said: string | null;
  /** Whose fate it is; null where the source does not say. `addressHash` of the normalised address. */
  recipient_hash: string | null;
  at: Date;
};

/** As Message-IDs are in the rows of letters. */
export const bracketed = (id: string): string => `<${id.trim().replace(/^<|>$/g, '')}>`;

/** The later word of a letter, whatever order they come in; what is further right outlasts the others. */
export const LATER = ['accepted', 'soft', 'delivered', 'policy', 'hard', 'complaint'] as const;

/** A full mailbox is an absence; the third in a row is an end (domain.md §6.3). */
export const FULL_MAILBOXES = 3;

export const isMailboxFull = ({
  kind,
  status,
  cause,
}: Pick<Delivery, 'kind' | 'status' | 'cause'>): boolean =>
  kind === 'soft' && (cause === 'mailbox_full' || /^[245]\.2\.2$/.test(status ?? ''));

export type Placed = {
  to_hash: string;
  to_normalised: string | null;
  /** Of the letter's other recipients. */
  cc: readonly { hash: string; normalised: string }[];
};

/**
 * Which of a letter's addresses a report is about: the one that it names; where it names none, or one that a forwarder put
 * in its place, the only one there is. Null: it could be any of several, and none of them is struck off on a guess.
 */
export function addressMeant(
  { to_hash, to_normalised, cc }: Placed,
  recipient_hash: string | null,
): { hash: string; normalised: string } | null {
  const own = to_normalised === null ? [] : [{ hash: to_hash, normalised: to_normalised }];
  const all = [...own, ...cc];
  const named = all.find(({ hash }) => hash === recipient_hash);
  return named ?? (all.length === 1 ? (all[0] ?? null) : null);
}

/** Whether the warden counts it: everyone can write a bounce about an address, and only the wronged pause a domain. */
export const countsForWarden = (placed_by: PlacedBy | null): boolean =>
  placed_by !== null && placed_by !== 'recipient';

/** What the warden looks at at once; good change notifications waits for its next round. */
export const isBadChange = (kind: DeliveryKind): boolean => kind !== 'accepted' && kind !== 'delivered';
