// The title of the browser tab: the location, and before it how much waits for this person.
let where = '';
let waits = '';

const write = (): void => {
  document.title = `${waits}${where} · Dunnock`;
};

export function nameTab(title: string): void {
  where = title;
  write();
}

/** `99+` where there are more than were counted; empty where nothing waits. */
export function countInTab(waiting: string): void {
  waits = waiting === '' ? '' : `(${waiting}) `;
  if (where !== '') write();
}
