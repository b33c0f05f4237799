// Our side of another party’s OAuth, through the protocol’s own client: discovery, registration, PKCE and the check
// of who responded; `renewal.ts` covers what comes after. It stores nothing: what must be saved goes in and comes out
// as one value.
import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import type { GuardedFetch } from '../../../net/fetch.ts';
import { CapabilityTrouble, type Challenge } from './trouble.rules.ts';

/** What is kept for one person at one server; sealed as a whole. */
export type Credentials = {
  client?: StoredOAuthClientInformation | undefined;
  tokens?: StoredOAuthTokens | undefined;
  /** What was asked to be allowed. */
  scope?: string | undefined;
  /** Whom the tokens are for, as the server calls itself. */
  resource?: string | undefined;
  /** Where the server said who protects it, where that is not at its usual place. */
  described_at?: string | undefined;
};

/** The same while they are away at the sign-in of the other party. */
export type OauthDraft = Credentials & {
  verifier?: string | undefined;
  discovery?: OAuthDiscoveryState | undefined;
};

export type Away = {
  /** The server, as it was given. */
  server: string;
  fetch: GuardedFetch;
  /** `<base_url>/oauth/callback` */
  callback: string;
  /** Where we describe ourselves, for those who take that in place of a registration; an https address or null. */
  described_at: string | null;
  /** A client that an administrator registered there by hand. */
  registered: { client_id: string; client_secret: string | null } | null;
};

const CLIENT_NAME = 'Dunnock';

/** What we say of ourselves when we register, and in the document at `described_at`. */
export const clientMetadata = (callback: string) => ({
  client_name: CLIENT_NAME,
  redirect_uris: [callback],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
});

/** Where to send the person's browser, and what to keep until it comes back with `state`. */
export async function begin(
  away: Away,
  state: string,
  { before, challenge }: { before: Credentials; challenge: Challenge | null },
): Promise<{ url: string; draft: OauthDraft }> {
  const { auth, computeScopeUnion } = await import('@modelcontextprotocol/client');
  const scope = computeScopeUnion(before.scope, challenge?.scope ?? undefined);
  // Registered again each time: whoever forgot the client that we know shows the person a page of an error, and we never hear.
  let draft: OauthDraft = { ...(scope && { scope }) };
  let provider = providerOf(away, draft, state);
  const leave = () =>
    guarded(() =>
      auth(provider, {
        serverUrl: away.server,
        fetchFn: away.fetch,
        forceReauthorization: true,
        ...(scope && { scope }),
        ...(challenge?.resource_metadata && { resourceMetadataUrl: new URL(challenge.resource_metadata) }),
      }),
    );
  const answer = await leave().catch((error: unknown) => {
    if (!before.client || !(error instanceof CapabilityTrouble) || error.why !== 'unregistered') throw error;
    draft = { client: before.client, ...(scope && { scope }) };
    provider = providerOf(away, draft, state);
    return leave();
  });
  if (answer !== 'REDIRECT' || !provider.sent) throw new CapabilityTrouble('broken');
  // A browser goes there: nothing but a page is.
  if (!['https:', 'http:'].includes(provider.sent.protocol)) throw new CapabilityTrouble('untrusted');
  const asked = provider.sent.searchParams.get('scope');
  return { url: provider.sent.href, draft: { ...draft, ...(asked && { scope: asked }) } };
}

/** Redeems what the browser came back with. `iss`: who says to have sent it. */
export async function finish(
  away: Away,
  kept: OauthDraft,
  { code, iss }: { code: string; iss: string | null },
): Promise<Credentials> {
  const { auth } = await import('@modelcontextprotocol/client');
  const draft = { ...kept };
  const answer = await guarded(() =>
    auth(providerOf(away, draft, null), {
      serverUrl: away.server,
      fetchFn: away.fetch,
      authorizationCode: code,
      ...(iss !== null && { iss }),
    }),
  );
  if (answer !== 'AUTHORIZED' || !draft.tokens) throw new CapabilityTrouble('denied');
  const { client, tokens, scope, discovery } = draft;
  const { resource } = discovery?.resourceMetadata ?? {};
  return { client, tokens, scope, resource, described_at: discovery?.resourceMetadataUrl };
}

/** The client that an administrator registered by hand, as the library has it. */
export const clientOf = (registered: Away['registered']): StoredOAuthClientInformation | undefined =>
  registered
    ? {
        client_id: registered.client_id,
        ...(registered.client_secret !== null && { client_secret: registered.client_secret }),
      }
    : undefined;

type Provider = OAuthClientProvider & { sent: URL | null };

/** The library's own way to ask for storage and to hand over values: all of it is `draft`. */
function providerOf(
  { callback, described_at, registered }: Away,
  draft: OauthDraft,
  state: string | null,
): Provider {
  const provider: Provider = {
    sent: null,
    redirectUrl: callback,
    clientMetadata: clientMetadata(callback),
    ...(described_at !== null && { clientMetadataUrl: described_at }),
    ...(state !== null && { state: () => state }),
    clientInformation: () => clientOf(registered) ?? draft.client,
    ...(!registered && {
      saveClientInformation: (client: StoredOAuthClientInformation) => {
        draft.client = client;
      },
    }),
    tokens: () => draft.tokens,
    saveTokens: (tokens) => {
      draft.tokens = tokens;
    },
    redirectToAuthorization: (url) => {
      provider.sent = url;
    },
    saveCodeVerifier: (verifier) => {
      draft.verifier = verifier;
    },
    codeVerifier: () => {
      if (draft.verifier === undefined) throw new CapabilityTrouble('untrusted');
      return draft.verifier;
    },
    saveDiscoveryState: (discovery) => {
      demandHonest(discovery, { described_at, known: registered !== null || draft.client !== undefined });
      draft.discovery = discovery;
    },
    discoveryState: () => draft.discovery,
    invalidateCredentials: (what) => {
      if (what === 'all' || what === 'client') draft.client = undefined;
      if (what === 'all' || what === 'tokens') draft.tokens = undefined;
    },
  };
  return provider;
}

/** Said before anything is sent there. Without a word of PKCE a server has none (MCP authorization), and others get the code. */
function demandHonest(
  { authorizationServerMetadata: says }: OAuthDiscoveryState,
  { described_at, known }: { described_at: string | null; known: boolean },
): void {
  if (!says?.code_challenge_methods_supported?.includes('S256')) throw new CapabilityTrouble('untrusted');
  const takesOurDescription = described_at !== null && says.client_id_metadata_document_supported === true;
  if (!known && !takesOurDescription && !says.registration_endpoint)
    throw new CapabilityTrouble('unregistered');
}

/** The library's errors carry the other party's words: only their kind goes on. */
async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const trouble = await troubleOf(error);
    throw trouble.why === 'broken' ? new CapabilityTrouble('garbled') : trouble;
  }
}

export async function troubleOf(error: unknown): Promise<CapabilityTrouble> {
  if (error instanceof CapabilityTrouble) return error;
  const { FetchFailed } = await import('../../../net/fetch.ts');
  const client = await import('@modelcontextprotocol/client');
  if (error instanceof FetchFailed) {
    if (error.why === 'not_allowed' || error.why === 'address') return new CapabilityTrouble('address');
    if (error.why === 'redirect') return new CapabilityTrouble('redirect');
    if (error.why === 'timeout' || error.why === 'too_slow' || error.why === 'cancelled')
      return new CapabilityTrouble('slow');
    return new CapabilityTrouble(error.why === 'too_long' ? 'too_long' : 'unreachable');
  }
  if (error instanceof client.InsufficientScopeError)
    return new CapabilityTrouble('scope', {
      challenge: {
        scope: error.requiredScope ?? null,
        resource_metadata: error.resourceMetadataUrl?.href ?? null,
      },
    });
  if (error instanceof client.UnauthorizedError) return new CapabilityTrouble('sign_in');
  if (
    error instanceof client.IssuerMismatchError ||
    error instanceof client.AuthorizationServerMismatchError ||
    error instanceof client.InsecureTokenEndpointError
  )
    return new CapabilityTrouble('untrusted');
  if (error instanceof client.RegistrationRejectedError)
    return new CapabilityTrouble(
      error.status === 429 || error.status >= 500 ? 'unreachable' : 'unregistered',
    );
  if (error instanceof client.OAuthError) return new CapabilityTrouble('denied');
  if (error instanceof Error && error.name === 'TimeoutError') return new CapabilityTrouble('slow');
  // The library wraps what the way there came to in an error of its own while it asks which version is spoken.
  if (error instanceof client.SdkError && error.cause instanceof Error) return troubleOf(error.cause);
  return new CapabilityTrouble('broken');
}
