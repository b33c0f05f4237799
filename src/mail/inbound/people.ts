// Who wrote and to whom: mailboxes from header fields, cleaned, limited, with groups expanded.
import { addressParser } from 'postal-mime';
import type { Mailbox } from '../compose/fields.ts';
import { ADDRESS, tidyAddress } from '../reports/addresses.ts';
import type { Fields } from '../reports/fields.ts';
import { cleanLine } from './clean.ts';
import { FIELD_BYTES, NAME_CHARS, RECIPIENTS } from './limits.ts';

/** Every mailbox of all fields of this name, none twice. */
export function mailboxesOf(header: Fields, name: string): Mailbox[] {
  const found = new Map<string, Mailbox>();
  for (const field of header.get(name) ?? []) {
    for (const each of addressParser(field.slice(0, FIELD_BYTES), { flatten: true })) {
      const mailbox = each.address === undefined ? null : mailboxOf(each.address, each.name);
      if (mailbox && !found.has(mailbox.address)) found.set(mailbox.address, mailbox);
      if (found.size >= RECIPIENTS) return [...found.values()];
    }
  }
  return [...found.values()];
}

function mailboxOf(address: string, name: string): Mailbox | null {
  const tidy = WHOLE.test(address) && address.length <= 320 ? tidyAddress(address) : null;
  const shown = cleanLine(name, NAME_CHARS);
  return tidy === null ? null : { address: cleanLine(tidy, 320), name: shown === '' ? null : shown };
}

const WHOLE = new RegExp(`^(?:${ADDRESS}|"[^"\\r\\n]{1,62}"@[^\\s<>"@]{1,255})$`);
