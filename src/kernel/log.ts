// Which part of an error is logged. Its message may contain what someone sent: the database quotes the row it refused, and a
// parser what it couldn’t read. The log keeps where it happened and what kind of error it was.
type Facts = Record<string, unknown>;

/** Facts of a database's error that name our own things. */
const KEPT = ['code', 'severity', 'schema_name', 'table_name', 'column_name', 'constraint_name', 'routine'];

/** SQLSTATE class 22: data that has the wrong form, and is quoted. */
const QUOTES_DATA = /^22/;

const DEEPEST = 3;

export function errorForLog(error: unknown, depth = 0): Facts {
  if (!(error instanceof Error)) return { type: typeof error };
  const facts = error as unknown as Facts;
  const message = messageOf(error, facts['code']);
  const frames = (error.stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line));
  const kept = KEPT.filter((name) => ['string', 'number'].includes(typeof facts[name])).map((name) => [
    name,
    facts[name],
  ]);
  return {
    type: error.name,
    message,
    stack: [`${error.name}: ${message}`, ...frames].join('\n'),
    ...(Object.fromEntries(kept) as Facts),
    ...(error.cause !== undefined && depth < DEEPEST && { cause: errorForLog(error.cause, depth + 1) }),
  };
}

function messageOf({ name, message }: Error, code: unknown): string {
  if (name === 'SyntaxError') return 'what was read has no such form';
  if (typeof code === 'string' && QUOTES_DATA.test(code)) return 'a value has no such form';
  return message;
}

/** For whoever opens a log: errors are in it under `err`. */
export const logSerializers = { err: (error: unknown) => errorForLog(error) };
