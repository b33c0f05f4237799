// Climbs the verification ladder of one address, rungs 1 to 9. Each rung reports what it found; verdict.rules.ts
// decides what it means. Rung 10, a real letter, isn’t here: it is a wire act.
import { after, DAY_MS, MINUTE_MS, SECOND_MS, type Clock } from '../../kernel/clock.ts';
import { isAddress } from '../../net/address.ts';
import { admitHost } from '../../net/resolve.ts';
import type { PrivateSwitch } from '../../net/switches.ts';
import { parseAddress, type Address } from '../address.rules.ts';
import { addressesOf, isDefinite, type DnsAnswer, type DnsResolver, type MxRecord } from '../dns.ts';
import { connectPinned, type Connect } from './connect.ts';
import { converse, type Found, type Tell } from './conversation.ts';
import type { ProbeLimiter } from './limiter.ts';
import { isDisposable, isRole } from './lists.ts';
import { keepsForMs, RUNGS, verdictOf, type Judged, type Rung, type RungName } from './verdict.rules.ts';

/** What the app knows of the address already. */
export type VerifyFacts = {
  suppressed: boolean;
  hard_bounced_at: Date | null;
  /** The newest letter that was delivered, or that was answered. */
  delivered_at: Date | null;
  replied_at: Date | null;
  /** The operator's, beside the written list. */
  disposable_domains: ReadonlySet<string>;
};

export type Probing = {
  /** Our name, as PTR has it. */
  helo: string;
  limiter: ProbeLimiter;
  /** SERVICE_ALLOW_PRIVATE_HOSTS. */
  opening: PrivateSwitch;
  connect?: Connect;
  /** Other than 25 in tests alone. */
  port?: number;
  /** For one host. With three of them and DNS the ladder ends well within the minute of a lease, waiting in line aside. */
  connectMs?: number;
  replyMs?: number;
  wholeMs?: number;
};

/** `probing` null: this instance calls no strangers' hosts, and rungs 6 to 8 are skipped. */
export type VerifyWorld = { resolver: DnsResolver; clock: Clock; probing: Probing | null };

export type Verification = Judged & {
  /** All nine, in order. */
  rungs: readonly Rung[];
  checked_at: Date;
  /** Only where the host asked for patience. */
  retry_at: Date | null;
  expires_at: Date;
};

const HISTORY_MS = 90 * DAY_MS;
const RETRY_MS = 15 * MINUTE_MS;
const MOST_HOSTS = 3;

export async function verifyAddress(
  text: string,
  facts: VerifyFacts,
  { resolver, clock, probing }: VerifyWorld,
): Promise<Verification> {
  const from = clock.now();
  let last = from.getTime();
  const found = new Map<RungName, Rung>();
  /** A rung takes the time since the one before it was told. */
  const tell: Tell = (rung, { outcome, evidence }) => {
    const now = clock.now().getTime();
    found.set(rung, { rung, outcome, evidence, ms: Math.max(0, now - last) });
    last = now;
  };

  const parsed = parseAddress(text);
  tell('syntax', parsed.ok ? pass('ok') : { outcome: 'fail', evidence: parsed.why });
  if (parsed.ok) await climb(parsed.address);

  async function climb(address: Address): Promise<void> {
    tell(
      'suppression',
      facts.suppressed ? { outcome: 'fail', evidence: 'suppressed' } : pass('not_suppressed'),
    );
    const mx = await resolver.mx(address.domain);
    const domain = await domainOf(resolver, address.domain, mx);
    tell('domain', domain);
    const hosts = domain.outcome === 'pass' ? await hostsOf(resolver, address.domain, mx) : null;
    if (hosts) tell('mx', hosts.found);
    tell('role_or_disposable', kindOf(address, facts.disposable_domains));
    const history = historyOf(facts, from);
    tell('history', history);
    if (hosts?.found.outcome !== 'pass') return;
    // What happened to real letters outranks what a host says to a stranger, so the stranger does not call.
    if (history.outcome !== 'skipped') return;
    if (probing) await probe({ resolver, probing }, hosts.hosts, address, tell);
    else tell('connect', { outcome: 'skipped', evidence: 'not_asked' });
  }

  const rungs = RUNGS.map(
    (rung): Rung => found.get(rung) ?? { rung, outcome: 'skipped', evidence: 'not_reached', ms: 0 },
  );
  const judged = verdictOf(rungs);
  const now = clock.now();
  return {
    ...judged,
    rungs,
    checked_at: now,
    retry_at: judged.reason === 'greylisted' ? after(now, RETRY_MS) : null,
    expires_at: after(now, keepsForMs(judged.verdict)),
  };
}

const pass = (evidence: string): Found => ({ outcome: 'pass', evidence });
const unknown = (evidence: string): Found => ({ outcome: 'unknown', evidence });

/** Whether the name exists, from whichever question is answered: NXDOMAIN holds for every type of record. */
async function domainOf(resolver: DnsResolver, domain: string, mx: DnsAnswer<MxRecord>): Promise<Found> {
  const outcome = isDefinite(mx.outcome) ? mx.outcome : (await addressesOf(resolver, domain)).outcome;
  if (outcome === 'nxdomain') return { outcome: 'fail', evidence: 'nxdomain' };
  return isDefinite(outcome) ? pass('exists') : unknown(`dns_unavailable ${outcome}`);
}

async function hostsOf(
  resolver: DnsResolver,
  domain: string,
  mx: DnsAnswer<MxRecord>,
): Promise<{ found: Found; hosts: readonly string[] }> {
  if (!isDefinite(mx.outcome)) return { found: unknown(`dns_unavailable ${mx.outcome}`), hosts: [] };
  if (mx.outcome === 'found') {
    const [only, ...others] = mx.records;
    if (only?.host === '' && only.preference === 0 && others.length === 0)
      return { found: { outcome: 'fail', evidence: 'null_mx' }, hosts: [] };
    const hosts = mx.records
      .filter(({ host }) => host !== '' && !isAddress(host))
      .sort((one, other) => one.preference - other.preference)
      .map(({ host }) => host);
    const found = hosts.length > 0 ? pass('mx') : unknown('mx_unresolved');
    return { found, hosts: [...new Set(hosts)].slice(0, MOST_HOSTS) };
  }
  const implicit = await addressesOf(resolver, domain);
  if (implicit.outcome === 'found') return { found: pass('implicit_mx'), hosts: [domain] };
  return isDefinite(implicit.outcome)
    ? { found: { outcome: 'fail', evidence: 'no_mx_no_address' }, hosts: [] }
    : { found: unknown(`dns_unavailable ${implicit.outcome}`), hosts: [] };
}

function kindOf({ local, domain }: Address, disposable: ReadonlySet<string>): Found {
  if (isDisposable(domain, disposable)) return { outcome: 'fail', evidence: 'disposable' };
  return isRole(local) ? { outcome: 'fail', evidence: 'role' } : pass('neither');
}

/** The newer of the two speaks. */
function historyOf({ hard_bounced_at, delivered_at, replied_at }: VerifyFacts, now: Date): Found {
  const since = now.getTime() - HISTORY_MS;
  const time = (at: Date | null): number => (at !== null && at.getTime() >= since ? at.getTime() : -Infinity);
  const [bounced, delivered, replied] = [hard_bounced_at, delivered_at, replied_at].map(time) as [
    number,
    number,
    number,
  ];
  const arrived = Math.max(delivered, replied);
  if (bounced === -Infinity && arrived === -Infinity) return { outcome: 'skipped', evidence: 'no_history' };
  if (bounced >= arrived) return { outcome: 'fail', evidence: 'hard_bounced' };
  return pass(replied >= delivered ? 'replied' : 'delivered');
}

/** Which failure to reach anyone is told when several hosts failed in several ways. */
const REACH_ORDER = ['network_unreachable', 'dns_unavailable', 'address_not_allowed', 'mx_unresolved'];

async function probe(
  { resolver, probing }: { resolver: DnsResolver; probing: Probing },
  hosts: readonly string[],
  address: Address,
  tell: Tell,
): Promise<void> {
  const missed: string[] = [];
  for (const host of hosts) {
    const reached = await probing.limiter.run(host, () => probeHost(resolver, probing, host, address, tell));
    if (reached === null) return;
    missed.push(reached);
  }
  const worst = REACH_ORDER.flatMap((code) => missed.filter((each) => each.startsWith(code)))[0];
  tell('connect', unknown(worst ?? 'mx_unresolved'));
}

/** Null when someone answered and the rungs are told; else why no one did, and the next host may be tried. */
async function probeHost(
  resolver: DnsResolver,
  probing: Probing,
  host: string,
  address: Address,
  tell: Tell,
): Promise<string | null> {
  const resolved = await addressesOf(resolver, host);
  if (resolved.outcome !== 'found')
    return isDefinite(resolved.outcome) ? 'mx_unresolved' : `dns_unavailable ${resolved.outcome}`;
  const admitted = await admitHost(host, probing.opening, { lookup: async () => resolved.records });
  if (!admitted.ok) return 'address_not_allowed';

  const { connect = connectPinned, port = 25, helo } = probing;
  const { connectMs = 5 * SECOND_MS, replyMs = 15 * SECOND_MS, wholeMs = 25 * SECOND_MS } = probing;
  const opened = await connect({ host, addresses: admitted.addresses, port, timeoutMs: connectMs });
  if (!opened.ok) return `network_unreachable ${opened.why}`;
  await converse(opened.socket, { host, helo, replyMs, wholeMs }, address, tell);
  return null;
}
