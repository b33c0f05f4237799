// Whether this instance’s address can be reached from outside, as the links in letters and mails need.
import { checkUrl } from './receiver.ts';

/** https, and neither this machine nor a private network. What the name resolves to is not asked. */
export const opensOutside = (base_url: string): boolean =>
  base_url.startsWith('https://') && checkUrl(base_url, { allowPrivate: false }).ok;
