// Handlers that list, add, read and change sending domains. A key is made before the transaction: drawing one takes long.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { App } from '../../../kernel/app.ts';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { invalid, stop } from '../../../kernel/refusal.ts';
import { bind, type Bound, bindAsking, type WriteContext } from '../../../kernel/context.ts';
import { id, time } from '../../../kernel/shapes.ts';
import { newDkimKey } from '../../../mail/compose/dkim.ts';
import type { LettersOfSenders } from '../identities/letters.ts';
import { type Domain, domainCreate, domainList, domainName, domainRead, domainUpdate } from './contract.ts';
import { organisationOf } from './organisation.ts';
import { CHECK_DUE, DOMAINS } from './pass.ts';
import { refusedAsKnown, refusedAsRetired, refusedAsStale } from './rules.ts';
import { insertDomain, saveSettings } from './save.store.ts';
import { domainNamed, loadDomain, lockDomain, newestDomains, shown, shownAgain } from './store.ts';

const list = bind(domainList, async ({ db, caller, now }, { state, limit, cursor }) => {
  const after = keyIn(cursor, () => z.tuple([time, id]));
  const rows = await newestDomains(db, caller, state, after, limit + 1);
  return pageOf(await shown(db, rows, now), limit, (row) => [row.created_at, row.id]);
});

const read = bind(domainRead, async ({ db, caller, now }, args) => {
  const row = await loadDomain(db, caller, 'outreach.domain.read', args.domain);
  const [domain] = await shown(db, [row], now);
  return { domain: domain as Domain };
});

/** Of this instance alone: two that send for one domain do not overwrite each other's key. */
export function selectorOf({ instance, sealer }: Pick<App, 'instance' | 'sealer'>): string {
  const own = createHash('sha256').update(sealer.key('dkim selector').reveal()).digest('hex').slice(0, 8);
  return `${instance.name.slice(0, 40)}-${own}`;
}

const create = bindAsking(
  domainCreate,
  async ({ db }, { name, dkim_algorithm }) => {
    const known = await domainNamed(db, name);
    if (known) throw refusedAsKnown(known);
    const organisation = organisationOf(name);
    if (organisation === null) throw nobodys();
    return { organisation, dkim: await newDkimKey(dkim_algorithm) };
  },
  async (
    context,
    { name, daily_cap, sending_hosts, spf_includes, dmarc_rua, mx_host },
    { organisation, dkim },
  ) => {
    const settings = given({ daily_cap, sending_hosts, spf_includes, dmarc_rua, mx_host });
    const { db, app, caller, now } = context;
    const made = { ...settings, name, organisation, dkim, selector: selectorOf(app) };
    const added = await insertDomain(db, app, made, caller.principal, now);
    if (added === null) {
      const known = await domainNamed(db, name);
      throw known ? refusedAsKnown(known) : new Error('a domain that stood in the way is gone');
    }
    context.tell(CHECK_DUE, added);
    return tell(context, added);
  },
  'asks',
);

function nobodys() {
  const says = 'name: this is a public suffix, such as co.uk; give a domain you own';
  return invalid(says, { name: says });
}

const update = (letters: LettersOfSenders): Bound =>
  bind(domainUpdate, async (context, { domain: which, revision, ...settings }) => {
    const { db, caller, now } = context;
    const before = await loadDomain(db, caller, 'outreach.domain.write', which);
    const opens = settings.daily_cap !== undefined && settings.daily_cap > before.daily_cap;
    if (opens) await letters.wake(db, { domain_id: which }, now);
    const domain = await lockDomain(db, caller, 'outreach.domain.write', which);
    stop(refusedAsStale(domain, revision) ?? refusedAsRetired(domain));
    await saveSettings(db, domain, given(settings), now);
    if (opens) context.tell(letters.due, '');
    return tell(context, which);
  });

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

const given = <T extends object>(settings: T): Given<T> =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as Given<T>;

export function tell(context: WriteContext, domain: string): Promise<{ domain: Domain }> {
  context.about(domainName(domain));
  context.tell(DOMAINS, domain);
  return shownAgain(context.db, domain, context.now);
}

export const domainHandlers = (letters: LettersOfSenders): Bound[] => [list, create, read, update(letters)];
