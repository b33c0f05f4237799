// The vendors that letters can be sent through. A new one is an entry here.
import { resend } from './resend.ts';
import type { Vendor } from './vendor.ts';

const VENDORS: ReadonlyMap<string, Vendor> = new Map([[resend.provider, resend]]);

export const vendorNamed = (provider: string): Vendor | null => VENDORS.get(provider) ?? null;
