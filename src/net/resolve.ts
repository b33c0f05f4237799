// Resolves a checked URL or host to the addresses that may be connected to. Callers connect to these and don’t
// resolve again: between check and connect a name may change.
import { lookup as systemResolver } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkAddresses, checkHost, checkUrl, type Host, type Receiver, type Refused } from './receiver.ts';
import type { PrivateSwitch } from './switches.ts';

/** All addresses of a name, both families, as text. A rejection means that the name resolves to nothing now. */
export type Lookup = (name: string) => Promise<readonly string[]>;

export type Resolving = { lookup: Lookup; timeoutMs?: number };

/** `addresses` are all of the host's, every one checked; empty when the name resolves to nothing. */
export type Admitted<Checked> = Checked & { addresses: readonly string[] };

const LOOKUP_MS = 5_000;

/** The resolver of the machine, hosts file included, as every other program here would ask it. */
export const systemLookup: Lookup = async (name) =>
  (await systemResolver(name, { all: true })).map(({ address }) => address);

/**
 * Checks a URL and every address of its host: when an address is set, and once again on the sending pass
 * (specification, section 6). A name that resolves to nothing is admitted without addresses: that delivery fails on its own.
 */
export const admitUrl = (
  url: string,
  opening: PrivateSwitch,
  resolving: Resolving,
): Promise<Admitted<Receiver> | Refused> => admit(checkUrl(url, opening), opening, resolving);

/** The same for a host on its own, as mail servers are given. Connect to an address, and verify TLS against `host`. */
export const admitHost = (
  host: string,
  opening: PrivateSwitch,
  resolving: Resolving,
): Promise<Admitted<Host> | Refused> => admit(checkHost(host, opening), opening, resolving);

async function admit<Checked extends Host>(
  checked: Checked | Refused,
  opening: PrivateSwitch,
  resolving: Resolving,
): Promise<Admitted<Checked> | Refused> {
  if (!checked.ok) return checked;
  const addresses = checked.isLiteral ? [checked.host] : await addressesOf(checked.host, resolving);
  return checkAddresses(checked.host, addresses, opening) ?? { ...checked, addresses };
}

/** Never rejects. A resolver that is slow or broken is a name without addresses: nothing is connected to, so nothing leaks. */
async function addressesOf(
  name: string,
  { lookup, timeoutMs = LOOKUP_MS }: Resolving,
): Promise<readonly string[]> {
  const answered = new AbortController();
  const late = sleep(timeoutMs, [], { signal: answered.signal }).catch(() => []);
  const found = lookup(name).catch(() => []);
  const addresses = await Promise.race([found, late]);
  answered.abort();
  return [...new Set(addresses)];
}
