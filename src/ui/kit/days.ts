// Calendar days as people say them; a day has no time of day, so it is the same in every time zone.
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const dayAndYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });

/** `date` is a calendar day (2026-03-02). */
export function dayWord(date: string): string {
  const at = new Date(`${date}T00:00:00`);
  return (at.getFullYear() === new Date().getFullYear() ? day : dayAndYear).format(at);
}

export function today(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}
