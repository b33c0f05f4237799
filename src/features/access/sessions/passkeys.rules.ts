// Where passkeys work. A passkey belongs to a host name, so an instance reached by an IP address has none; on the machine
// itself, `localhost` works.

export type RelyingParty = { id: string; origin: string };

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/;
const BARE_ADDRESS = /^(\d+\.\d+\.\d+\.\d+|\[.*\])$/;

/** Null where the public address has no name, or is neither https nor of this machine: no browser makes passkeys there. */
export function relyingParty(base_url: string): RelyingParty | null {
  const { protocol, hostname, port } = new URL(base_url);
  if (LOOPBACK.test(hostname))
    return { id: 'localhost', origin: `${protocol}//localhost${port ? `:${port}` : ''}` };
  if (BARE_ADDRESS.test(hostname)) return null;
  if (protocol !== 'https:' && !hostname.endsWith('.localhost')) return null;
  return { id: hostname, origin: new URL(base_url).origin };
}

export const MOST_PASSKEYS = 20;
