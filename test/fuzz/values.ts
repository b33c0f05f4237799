// Arguments of operations and JSON-RPC messages that almost fit: an example that parses with something in it replaced, or
// nothing that anyone would send.
import type { Chance } from './chance.ts';
import { hostileText } from './texts.ts';

const nested = (open: string, close: string, deep: number): unknown =>
  JSON.parse(open.repeat(deep) + (open === '[' ? '' : '0') + close.repeat(deep));

export function anyValue(chance: Chance): unknown {
  switch (chance.int(14)) {
    case 0:
      return null;
    case 1:
      return chance.once(2);
    case 2:
      return chance.pick([0, -1, 1.5, 1e30, -1e308, Number.MAX_SAFE_INTEGER, 2 ** 31, 2 ** 53]);
    case 3:
      return '';
    case 4:
      return [];
    case 5:
      return {};
    case 6:
      return nested('[', ']', chance.pick([3, 60, 2_000]));
    case 7:
      return nested('{"a":', '}', chance.pick([3, 60, 2_000]));
    case 8:
      return Array.from({ length: chance.pick([2, 60, 5_000]) }, () => chance.int(9));
    case 9:
      return JSON.parse('{"__proto__":{"a":1},"constructor":{"prototype":{}},"toString":1,"length":-1}');
    case 10:
      return chance.pick([
        '\ud800',
        'a\u0000b',
        '\u202egnp.exe',
        '0'.repeat(400),
        '../../etc',
        'true',
        '-0',
        ' ',
      ]);
    case 11:
      return Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`k${n}`, n]));
    default:
      return hostileText(chance, chance.once(20) ? 400_000 : 3_000);
  }
}

/** A copy with some of its values replaced, taken away or joined by others. */
export function almost(chance: Chance, value: unknown): unknown {
  if (chance.once(6)) return anyValue(chance);
  if (Array.isArray(value)) {
    const items = value.map((each) => (chance.once(2) ? almost(chance, each) : each));
    if (chance.once(4)) items.push(anyValue(chance));
    return items;
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(() => !chance.once(12));
    const changed = entries.map(([key, each]): [string, unknown] => [
      key,
      chance.once(2) ? almost(chance, each) : each,
    ]);
    if (chance.once(8)) changed.push([chance.pick(['__proto__', 'extra', '', 'revision']), anyValue(chance)]);
    return Object.fromEntries(changed);
  }
  if (typeof value === 'string' && chance.once(2)) return value + hostileText(chance, 200);
  return chance.once(3) ? anyValue(chance) : value;
}

const METHODS = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'server/discover',
  '__proto__',
];
const URIS = [
  'service://campaigns',
  'service://inbox/unanswered',
  'service://sends/held',
  'service://campaign/x/overview',
  'service://work/OUT/board',
  'service://../api/me',
];

export function anyMessage(chance: Chance, tools: readonly string[]): unknown {
  const message = {
    jsonrpc: '2.0',
    id: chance.int(99),
    method: chance.pick(METHODS),
    params: chance.once(3)
      ? { uri: chance.pick(URIS) }
      : {
          name: chance.pick(tools),
          arguments: {
            method: chance.pick(['GET', 'POST', 'PATCH', 'get']),
            path: `/api/${hostileText(chance, 60)}`,
            query: almost(chance, { limit: 3, state: 'held' }),
            body: almost(chance, { title: 'A card', project: 'OUT' }),
            project: 'OUT',
            query_text: hostileText(chance, 400),
            item_id: '0190a0a0-0000-7000-8000-000000000000',
            address: 'dana@acme.example',
          },
        },
  };
  return chance.once(2) ? almost(chance, message) : message;
}
