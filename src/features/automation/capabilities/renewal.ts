// Renews a sign-in at another party, one request at a time. Only the issuer’s own word that it is over (`ended`) is
// final; after any other failure what is saved stays as it is, and renewal is retried with growing waits.
import type { GuardedFetch } from '../../../net/fetch.ts';
import { type Away, clientOf, type Credentials, troubleOf } from './oauth.ts';
import { CapabilityTrouble, type TroubleWhy } from './trouble.rules.ts';

/** As long as a wait may be that the other party names. */
const LONGEST_NAMED_S = 3_600;

/** What stays true of a server or its address, whoever asks; all else is said as one thing. */
const SAID_AS_IT_IS: readonly TroubleWhy[] = ['ended', 'sign_in', 'untrusted', 'address', 'own_address'];

/**
 * New tokens for the ones that are kept. Throws a CapabilityTrouble: `ended` where only the person can go on, `sign_in` where
 * the server names another sign-in than the one that gave the tokens (nothing is sent there), and otherwise what may pass.
 */
export async function renew(away: Away, kept: Credentials): Promise<Credentials> {
  const heard: Heard = { failed: null, status: 0, wait_s: null };
  try {
    return await asking(away, kept, heard);
  } catch (error) {
    const { why } = await troubleOf(error);
    throw new CapabilityTrouble(SAID_AS_IT_IS.includes(why) ? why : 'renewal', { wait_s: heard.wait_s });
  }
}

async function asking(
  away: Away,
  { tokens, client, scope, resource, described_at }: Credentials,
  heard: Heard,
): Promise<Credentials> {
  const sdk = await import('@modelcontextprotocol/client');
  const used = clientOf(away.registered) ?? client;
  if (tokens?.refresh_token === undefined || !used) throw new CapabilityTrouble('ended');
  const fetchFn = listening(away.fetch, heard);
  const found = await sdk.discoverOAuthServerInfo(away.server, {
    fetchFn,
    ...(described_at !== undefined && { resourceMetadataUrl: new URL(described_at) }),
  });
  const issuer = found.authorizationServerMetadata?.issuer ?? found.authorizationServerUrl;
  const named = found.resourceMetadata?.resource;
  // The library takes whatever goes wrong on the way for "it says nothing", and would go on with another party.
  if (!sameParty(tokens.issuer, issuer) || (resource !== undefined && named === undefined))
    throw heard.failed ?? new CapabilityTrouble('sign_in');
  if (named !== undefined && !isOurs(sdk, away.server, named)) throw new CapabilityTrouble('untrusted');
  try {
    const renewed = await sdk.refreshAuthorization(found.authorizationServerUrl, {
      ...(found.authorizationServerMetadata && { metadata: found.authorizationServerMetadata }),
      clientInformation: used,
      refreshToken: tokens.refresh_token,
      ...(named !== undefined && { resource: named }),
      fetchFn,
    });
    return { client, tokens: { ...renewed, issuer }, scope, resource: named, described_at };
  } catch (error) {
    if (!(error instanceof sdk.OAuthError) || heard.status === 429 || heard.status >= 500) throw error;
    const final = [sdk.OAuthErrorCode.InvalidGrant, sdk.OAuthErrorCode.InvalidClient];
    throw final.some((code) => code === error.code) ? new CapabilityTrouble('ended') : error;
  }
}

type Sdk = typeof import('@modelcontextprotocol/client');

const isOurs = (sdk: Sdk, server: string, named: string): boolean =>
  sdk.checkResourceAllowed({
    requestedResource: sdk.resourceUrlFromServerUrl(server),
    configuredResource: named,
  });

/** `before` is not known of sign-ins of earlier versions. */
const sameParty = (before: string | undefined, now: string): boolean =>
  before === undefined || before.replace(/\/$/, '') === now.replace(/\/$/, '');

type Heard = { failed: unknown; status: number; wait_s: number | null };

/** Notes what went wrong, which the library does not say. */
function listening(ask: GuardedFetch, heard: Heard): GuardedFetch {
  return async (input, init) => {
    try {
      const response = await ask(input, init);
      heard.status = response.status;
      if (response.status !== 429 && response.status < 500) return response;
      heard.failed = new CapabilityTrouble('renewal');
      heard.wait_s = waitIn(response.headers.get('retry-after')) ?? heard.wait_s;
      return response;
    } catch (error) {
      heard.failed = error;
      throw error;
    }
  };
}

/** Whole seconds; a date is left unread, as the wait grows on its own. */
const waitIn = (header: string | null): number | null =>
  header !== null && /^\d{1,12}$/.test(header) ? Math.min(Number(header), LONGEST_NAMED_S) : null;
