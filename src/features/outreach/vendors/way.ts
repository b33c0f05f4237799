// Outgoing mail by a vendor, for the sender. The key is read for each letter, so that one which was deleted or replaced is not
// used again.
import type { App } from '../../../kernel/app.ts';
import type { Transport } from '../../../mail/transport/transport.ts';
import { vendorNamed } from '../../../mail/vendor/vendors.ts';
import { VENDORS } from '../../../mail/transport.rules.ts';
import { providerAccount } from '../../access/providers/store.ts';

export function openVendor(app: App, provider: string): Transport {
  const vendor = vendorNamed(provider);
  const name = VENDORS.find((each) => each === provider);
  return {
    async send(letter) {
      const account = name ? await providerAccount(app.database.reader, app, name) : null;
      // As with a password that the next hop refuses: nothing goes out until someone saves one.
      if (!vendor || !account) return { outcome: 'auth_refused', code: null, enhanced: null, said: null };
      return vendor.openTransport(account).send(letter);
    },
    close: () => Promise.resolve(),
  };
}
