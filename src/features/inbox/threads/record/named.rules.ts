// Whom a letter names in someone's place, out of the words in which it does: "Petra Meier <petra@acme.example>". Screens read it
// too, for the button that adds them.
import { parseAddress } from '../../../../mail/address.rules.ts';

/** Either may be missing, not both. */
export type NamedAddress = { name: string; address: string | null };

export function namedIn(referred_to: string): NamedAddress | null {
  const words = referred_to.trim().split(/[\s<>()[\],;]+/);
  const at = words.findIndex((word) => word.includes('@') && parseAddress(word).ok);
  const address = words[at] ?? null;
  const name = words
    .filter((word, n) => n !== at && word !== '')
    .join(' ')
    .slice(0, 200);
  return address === null && name === '' ? null : { name, address };
}
