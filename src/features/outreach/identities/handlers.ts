// Handlers that list, read, create and change identities. Mail server addresses are checked before the transaction.
import { z } from 'zod';
import { maySetEveryReview } from '../../../kernel/gates.ts';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { conflict, invalid, Refusal, stop } from '../../../kernel/refusal.ts';
import {
  bind,
  type Bound,
  bindAsking,
  type ReadContext,
  type WriteContext,
} from '../../../kernel/context.ts';
import { id, time } from '../../../kernel/shapes.ts';
import type { Reader } from '../../../kernel/database.ts';
import { type Address, parseAddress } from '../../../mail/address.rules.ts';
import { admitHost } from '../../../net/resolve.ts';
import { changeOf, fieldsIn, isRead, mayOpen, type WayWish } from './change.ts';
import {
  type Identity,
  identityCreate,
  identityList,
  identityName,
  identityRead,
  identityUpdate,
} from './contract.ts';
import type { LettersOfSenders } from './letters.ts';
import { mayConfirm, mayEndTrouble, refusedAsGone, refusedAsStale, refusedRamp, wayChange } from './rules.ts';
import { type IdentityChange, domainOf, insertIdentity, saveIdentity } from './save.store.ts';
import { loadIdentity, lockIdentity, lockLetters, newestIdentities, shown, shownAgain } from './store.ts';
import type { InboundSettings, TransportSettings } from '../../../mail/transport.rules.ts';

export const IDENTITIES = 'identities';

const list = bind(identityList, async ({ db, caller, now }, { limit, cursor, ...filter }) => {
  const after = keyIn(cursor, () => z.tuple([time, id]));
  const rows = await newestIdentities(db, caller, filter, after, limit + 1);
  return pageOf(await shown(db, rows, now), limit, (row) => [row.created_at, row.id]);
});

const read = bind(identityRead, async ({ db, caller, now }, args) => {
  const row = await loadIdentity(db, caller, 'outreach.identity.read', args.identity);
  const [identity] = await shown(db, [row], now);
  return { identity: identity as Identity };
});

/** Refuses a server at an address that may not be called from here; a name that leads nowhere now is let through. */
async function admitServers({ app }: ReadContext, { transport, inbound }: WayWish): Promise<void> {
  const { lookup, hosts } = app.outside;
  const faults: Record<string, string> = {};
  for (const [field, way] of Object.entries({ transport, inbound })) {
    if (!way || !('host' in way)) continue;
    const admitted = await admitHost(way.host, hosts, { lookup });
    if (!admitted.ok) faults[`${field}.host`] = `${field}.host: ${admitted.sentence}`;
  }
  const says = Object.values(faults);
  if (says.length > 0) throw invalid(says[0] as string, faults);
}

/** The sending domain that an address ends in; `domain_id`, where it is given, must mean the same one. */
async function placeOf(
  db: Reader,
  typed: string,
  domain_id: string | undefined,
): Promise<{ of: Address; domain_id: string }> {
  const parsed = parseAddress(typed);
  if (!parsed.ok) throw new Error('an address that the contract let through does not parse');
  const domain = await domainOf(db, parsed.address);
  const bad = (field: string, says: string) => invalid(`${field}: ${says}`, { [field]: `${field}: ${says}` });
  if (!domain)
    throw bad('address', `${parsed.address.domain} isn’t a sending domain here: add it under Domains first`);
  if (domain_id !== undefined && domain_id !== domain.id)
    throw bad('domain_id', `the address belongs to ${domain.name}, not to this domain`);
  if (domain.state === 'retired')
    throw conflict(`${domain.name} is permanently retired: choose an address on another domain`);
  return { of: parsed.address, domain_id: domain.id };
}

/** A young identity starts low and grows with every day on which it sends (domain.md §6.4). */
const RAMP = { start: 5, step: 3, ceiling: 40 };

const create = bindAsking(
  identityCreate,
  admitServers,
  async (context, { address, domain_id, transport, inbound, ...wish }) => {
    const { db, app, caller, now } = context;
    const place = await placeOf(db, address, domain_id);
    const ways = {
      transport: wayChange<TransportSettings>(null, transport),
      inbound: wayChange<InboundSettings>(null, inbound),
    };
    const { start = RAMP.start, step = RAMP.step, ceiling = RAMP.ceiling } = wish.ramp ?? {};
    const ramp = { start, step, ceiling };
    stop(refusedRamp(ramp));
    const fields = fieldsIn({ ...wish, ramp });
    const added = await insertIdentity(db, app.sealer, { place, fields, ways }, caller.principal, now);
    if (added === null) throw taken(place.of);
    return tell(context, added);
  },
  { instead: async () => {}, says: 'A rehearsal doesn’t look up the mail servers.' },
);

const taken = ({ shown: address }: Address): Refusal =>
  conflict(`${address} is already an identity: change that one, or choose another address`);

const update = (letters: LettersOfSenders): Bound =>
  bindAsking(
    identityUpdate,
    admitServers,
    async (context, { identity: which, revision, address, domain_id, ...wish }) => {
      const { db, app, caller, now } = context;
      const seen = await loadIdentity(db, caller, 'outreach.identity.write', which);
      stop(refusedAsGone(seen) ?? refusedAsStale(seen, revision));
      const place =
        address === undefined && domain_id === undefined
          ? null
          : await placeOf(db, address ?? seen.address, domain_id);
      const change = changeOf(seen, wish, place, { may_confirm: mayConfirm(caller), now });
      if (change instanceof Refusal) throw change;
      const reads = isRead(change);
      const opens = mayOpen(seen, change);
      // Letters come before their sender in the order of locks, and are made again after it was written.
      if (reads || opens) await lockLetters(db, which);
      const identity = await lockIdentity(db, caller, 'outreach.identity.write', which);
      stop(refusedAsStale(identity, revision));
      await keep(context, identity, change);
      if (reads) {
        const edit = { by_wire: maySetEveryReview(caller), by: caller.principal, now };
        await letters.touched(db, app, which, edit);
      }
      if (opens) await letters.wake(db, { identity_id: which }, now);
      context.tell(letters.due, '');
      return tell(context, which);
    },
    { instead: async () => {}, says: 'A rehearsal doesn’t look up the mail servers.' },
  );

async function keep(
  { db, app, caller, now }: WriteContext,
  identity: Parameters<typeof saveIdentity>[2],
  change: IdentityChange,
): Promise<void> {
  const saved = await saveIdentity(db, app.sealer, identity, change, {
    ends_trouble: mayEndTrouble(caller, identity.id),
    now,
  });
  if (!saved && change.address) throw taken(change.address.of);
}

export function tell(context: WriteContext, identity: string): Promise<{ identity: Identity }> {
  context.about(identityName(identity));
  context.tell(IDENTITIES, identity);
  return shownAgain(context.db, identity, context.now);
}

export const identityHandlers = (letters: LettersOfSenders): Bound[] => [list, read, create, update(letters)];
