// What this person chose in ⌘K recently. Kept only while the tab is open, because titles include people’s names.
export type Recent = { id: string; record?: { title: string; says: string; place: string; kind: string } };

const MOST = 6;
const keyOf = (user: string): string => `dunnock-recent-${user}`;

export function recentOf(user: string): Recent[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(user)) ?? '[]');
    return Array.isArray(kept) ? (kept as Recent[]) : [];
  } catch {
    return [];
  }
}

export function remember(user: string, taken: Recent): void {
  const rest = recentOf(user).filter(({ id }) => id !== taken.id);
  try {
    sessionStorage.setItem(keyOf(user), JSON.stringify([taken, ...rest].slice(0, MOST)));
  } catch {
    // Storage is refused in some private windows: then nothing is recent.
  }
}
