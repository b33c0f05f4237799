// The resolver given to a connection in place of the system’s: it knows only the checked addresses. Node doesn’t call
// it for hosts that already are addresses; whoever opens the connection compares those.
import type { LookupFunction } from 'node:net';
import { isAddress } from './address.ts';

const familyOf = (address: string): 4 | 6 => (address.includes(':') ? 6 : 4);

/** For the `lookup` option of sockets, agents and clients. With no addresses it answers as for a name that does not exist. */
export function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const all = addresses.filter(isAddress).map((address) => ({ address, family: familyOf(address) }));
  return (hostname, { family, all: wantsAll }, answer) => {
    const wanted = family === 4 || family === 'IPv4' ? 4 : family === 6 || family === 'IPv6' ? 6 : null;
    const found = wanted === null ? all : all.filter((each) => each.family === wanted);
    const [first] = found;
    // Later, as a resolver does: sockets attach their listeners after they have asked.
    process.nextTick(() => {
      if (!first)
        answer(Object.assign(new Error(`no checked address of ${hostname}`), { code: 'ENOTFOUND' }), '', 0);
      else if (wantsAll) answer(null, found);
      else answer(null, first.address, first.family);
    });
  };
}
