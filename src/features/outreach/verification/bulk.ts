// Verifying as a bulk action: the addresses of a few people at a time, without a letter.
import type { AnyOperation } from '../../../kernel/operation.ts';
import { type BulkAct, type Came, refusedAs, unchanged } from '../../crm/bulk/acts.ts';
import { ADDRESSES_AT_ONCE, type Verified, verifyAddresses } from './contract.ts';

export const verifyAct: BulkAct = {
  act: 'verify',
  at_once: 5,
  async run(call, _args, people, addresses) {
    const came = new Map<string, Came>();
    const all = people.flatMap((id) => addresses.get(id) ?? []);
    const verdicts = new Map<string, Verified>();
    for (let at = 0; at < all.length; at += ADDRESSES_AT_ONCE) {
      const some = all.slice(at, at + ADDRESSES_AT_ONCE);
      const { results } = (await call(
        verifyAddresses as unknown as AnyOperation,
        { addresses: some },
        String(at),
      )) as { results: Verified[] };
      for (const each of results) verdicts.set(each.address, each);
    }
    for (const id of people) {
      const found = (addresses.get(id) ?? []).flatMap((address) => verdicts.get(address) ?? []);
      const bad = found.find(({ verdict }) => verdict === 'UNKNOWN');
      came.set(
        id,
        found.length === 0
          ? unchanged('they have no address')
          : bad
            ? refusedAs(bad.sentence)
            : { outcome: 'done', why: found[0]?.sentence ?? null },
      );
    }
    return came;
  },
};
