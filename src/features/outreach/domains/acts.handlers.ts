// Handlers of acts on a domain. Locks are taken in the order letters, identities, domain, so resuming a domain wakes its letters
// first and looks again once the row is locked.
import { z } from 'zod';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { stop } from '../../../kernel/refusal.ts';
import { bind, type Bound, bindAsking } from '../../../kernel/context.ts';
import { refusedAsUnseen } from '../../../kernel/seen.ts';
import { id, time } from '../../../kernel/shapes.ts';
import { recordsToPublish } from '../../../mail/authentication/records.ts';
import type { LettersOfSenders } from '../identities/letters.ts';
import {
  domainCheck,
  domainEvidence,
  domainPause,
  domainRecords,
  domainResume,
  domainRetire,
} from './acts.contract.ts';
import { waysOf } from './check.store.ts';
import { askDns, OURS, resolverOf } from './check.ts';
import { tell } from './handlers.ts';
import { CHECK_DUE, keepCheck, wakeBefore } from './pass.ts';
import { pausesOf } from './pauses.store.ts';
import { type DomainRow, seenOfDomain, windowOf } from './domain-row.ts';
import { reasonsOf } from '../deliveries/report.store.ts';
import { readable as readableLetters } from '../sends/letter/send.store.ts';
import { refusedAsRetired, refusedToResume } from './rules.ts';
import { lockIdentities, pauseDomain, resumeDomain, retireDomain } from './state.store.ts';
import { loadDomain, lockDomain } from './store.ts';

const records = bind(domainRecords, async ({ db, caller }, args) => {
  const domain = await loadDomain(db, caller, 'outreach.domain.read', args.domain);
  return { records: recordsToPublish(wanted(domain)) };
});

function wanted(domain: DomainRow): Parameters<typeof recordsToPublish>[0] {
  const { name, dkim_selector, dkim_algorithm, dkim_public, sending_hosts, auth } = domain;
  const { spf, dkim, dmarc, mx, ptr } = auth;
  const isLiteral = (host: string): boolean => host.includes(':') || /^[\d.]+$/.test(host);
  return {
    domain: name,
    dkim: [{ selector: dkim_selector, key_type: dkim_algorithm, public_key: dkim_public }],
    spf: {
      includes: domain.spf_includes,
      hosts: sending_hosts.filter((host) => !isLiteral(host)),
      addresses: sending_hosts.filter(isLiteral),
    },
    dmarc_rua: domain.dmarc_rua,
    mx_host: domain.mx_host,
    return_path: null,
    checks: spf && dkim && dmarc && mx && ptr ? { spf, dkim, dmarc, mx, ptr } : null,
  };
}

const evidence = bind(domainEvidence, async ({ db, caller, now }, { domain: which, limit, cursor }) => {
  const domain = await loadDomain(db, caller, 'outreach.domain.read', which);
  const after = keyIn(cursor, () => z.tuple([time, id]));
  const page = pageOf(await pausesOf(db, domain, after, limit + 1), limit, (row) => [row.at, row.id]);
  const window = { id: domain.id, since: windowOf(domain, now).start };
  const reasons = await reasonsOf(db, [window], readableLetters(db, caller, 'outreach.send.read'));
  return { evidence: domain.evidence, reasons: reasons.get(domain.id) ?? [], ...page };
});

const check = (letters: LettersOfSenders): Bound =>
  bindAsking(
    domainCheck,
    async ({ db, caller, app, now }, args) => {
      const domain = await loadDomain(db, caller, 'outreach.domain.check', args.domain);
      stop(refusedAsRetired(domain));
      const ways = await waysOf(db, [domain.id]);
      return askDns(resolverOf(app), domain, ways.get(domain.id) ?? OURS, now);
    },
    async (context, { domain: which }, checks) => {
      const { db, caller, now } = context;
      await wakeBefore(db, letters, which, checks, now);
      await lockDomain(db, caller, 'outreach.domain.check', which);
      await keepCheck(db, which, checks, now);
      context.tell(letters.due, '');
      return tell(context, which);
    },
    { cannot: 'This asks another server, which a rehearsal doesn’t do.' },
  );

const pause = bind(domainPause, async (context, { domain: which, reason = 'Paused by hand' }) => {
  const { db, caller, now } = context;
  const domain = await lockDomain(db, caller, 'outreach.domain.pause', which);
  stop(refusedAsRetired(domain));
  const by = { by: 'person', reason, who: caller.principal } as const;
  await pauseDomain(db, context.emit, which, by, now);
  return tell(context, which);
});

const retire = bind(domainRetire, async (context, { domain: which }) => {
  const { db, caller, now } = context;
  await loadDomain(db, caller, 'outreach.domain.retire', which);
  const identities = await lockIdentities(db, which);
  const domain = await lockDomain(db, caller, 'outreach.domain.retire', which);
  if (domain.state !== 'retired') await retireDomain(db, domain, identities, now);
  context.tell('identities', '');
  return tell(context, which);
});

const READ = '/api/admin/outreach/domains/:domain';

const resume = (letters: LettersOfSenders): Bound =>
  bind(domainResume, async (context, { domain: which, seen }) => {
    const { db, caller, now } = context;
    stop(refusedToResume(await loadDomain(db, caller, 'outreach.domain.resume', which)));
    await letters.wake(db, { domain_id: which }, now);
    const identities = await lockIdentities(db, which);
    const domain = await lockDomain(db, caller, 'outreach.domain.resume', which);
    stop(
      refusedToResume(domain) ?? refusedAsUnseen(seen, seenOfDomain(domain), { noun: 'domain', read: READ }),
    );
    await resumeDomain(db, domain, identities, caller.principal, now);
    for (const topic of [letters.due, CHECK_DUE, 'identities']) context.tell(topic, which);
    return tell(context, which);
  });

export const domainActs = (letters: LettersOfSenders): Bound[] => [
  records,
  evidence,
  check(letters),
  pause,
  retire,
  resume(letters),
];
