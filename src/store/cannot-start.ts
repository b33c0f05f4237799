// The one database error meant for operators: its message is a whole sentence that says what is wrong and what to do.
// The start prints only the message, without a stack.

export class CannotStart extends Error {
  override name = 'CannotStart';
}

/** Where the database cannot be reached when something begins. */
export const noAnswer = (cause: unknown): CannotStart =>
  new CannotStart(
    'The database does not answer: check that it runs, that DATABASE_URL leads to it, and that its user and password are right.',
    { cause },
  );
