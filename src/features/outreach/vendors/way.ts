// The way out by a vendor, for the sender. The key is read for each letter, so that one which was deleted or replaced is not
// used again.
import type { House } from '../../../kernel/house.ts';
import type { Transport } from '../../../mail/transport/transport.ts';
import { vendorNamed } from '../../../mail/vendor/vendors.ts';
import { VENDORS } from '../../../mail/transport.rules.ts';
import { providerAccount } from '../../access/providers/store.ts';

export function openVendor(house: House, provider: string): Transport {
  const vendor = vendorNamed(provider);
  const name = VENDORS.find((each) => each === provider);
  return {
    async send(letter) {
      const account = name ? await providerAccount(house.ground.reader, house, name) : null;
      // As with a password that the next hop refuses: nothing goes out until somebody saves one.
      if (!vendor || !account) return { outcome: 'auth_refused', code: null, enhanced: null, said: null };
      return vendor.openTransport(account).send(letter);
    },
    close: () => Promise.resolve(),
  };
}
