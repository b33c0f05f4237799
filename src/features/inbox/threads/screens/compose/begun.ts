// Words of notes and logged calls that were begun and not saved yet: they stay in this tab, also when the page is loaded again.
const keyOf = (user: string, of: string): string => `dunnock-begun-${user}-${of}`;

export function begunWords(user: string, of: string): string {
  try {
    return sessionStorage.getItem(keyOf(user, of)) ?? '';
  } catch {
    return '';
  }
}

/** Empty words are forgotten. Where a browser has no room, they stay as long as the field does. */
export function keepBegun(user: string, of: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(keyOf(user, of));
    else sessionStorage.setItem(keyOf(user, of), text);
  } catch {
    return;
  }
}
