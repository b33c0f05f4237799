// An operation's example as a line of Lua. Pure.

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Words of Lua itself are no names of keys. */
const RESERVED = new Set(
  'and break do else elseif end false for function goto if in local nil not or repeat return then true until while'.split(
    ' ',
  ),
);

/** A value as Lua writes it. A text keeps every character: what Lua would read otherwise is written by its number. */
export function asLua(value: unknown): string {
  if (value === null || value === undefined) return 'nil';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.length === 0 ? '{}' : `{ ${value.map(asLua).join(', ')} }`;
  if (typeof value === 'object') {
    const parts = Object.entries(value).map(
      ([key, each]) => `${NAME.test(key) && !RESERVED.has(key) ? key : `[${quoted(key)}]`} = ${asLua(each)}`,
    );
    return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
  }
  return typeof value === 'string' ? quoted(value) : 'nil';
}

const quoted = (text: string): string =>
  `"${text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\0', '\\0')}"`;

export const luaCall = (name: string, args: Record<string, unknown>): string =>
  `local answer = dunnock.call(${quoted(name)}, ${asLua(args)})`;
