// A real sign-in of another party on loopback (oidc-provider): discovery, registration of clients, PKCE, rotating refresh tokens,
// and a page of its own where a person signs in or refuses. It is in front of a tool server in place of the made-up one.
import type { IncomingMessage, ServerResponse } from 'node:http';
import Provider, { type Configuration } from 'oidc-provider';
import type { SignIn } from './tool-server.ts';

const PAGE = (
  says: string,
): string => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Sign in elsewhere</title>
<h1>Sign in elsewhere</h1><p>${says}</p>
<form method="post"><label>Name <input name="login"></label> <button name="act" value="yes">Sign in</button>
<button name="act" value="no">Refuse</button></form></html>`;

export function openProvider(origin: string): SignIn {
  const configuration: Configuration = {
    clients: [],
    cookies: { keys: ['of this test alone'] },
    scopes: ['offline_access', 'tools'],
    findAccount: (_, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    issueRefreshToken: async (_, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    ttl: { AccessToken: 3_600, RefreshToken: 86_400, Session: 600, Interaction: 600, Grant: 86_400 },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => `${origin}/mcp`,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: 'tools',
          audience: `${origin}/mcp`,
          accessTokenFormat: 'opaque',
          accessTokenTTL: 3_600,
        }),
      },
    },
    // Whoever signs in there allows what was asked: no second page.
    async loadExistingGrant(ctx) {
      const { client, session } = ctx.oidc;
      if (!client || !session?.accountId) return undefined;
      const known = session.grantIdFor(client.clientId);
      if (known) return ctx.oidc.provider.Grant.find(known);
      const grant = new ctx.oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope('offline_access tools');
      grant.addResourceScope(`${origin}/mcp`, 'tools');
      await grant.save();
      return grant;
    },
  };
  const provider = new Provider(origin, configuration);
  const others = provider.callback();

  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') {
      const { prompt } = await provider.interactionDetails(request, response);
      // Signing in was allowing: there is no second page.
      if (prompt.name === 'consent')
        return provider.interactionFinished(
          request,
          response,
          { consent: {} },
          { mergeWithLastSubmission: true },
        );
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(PAGE('Of the other party.'));
      return;
    }
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const said = new URLSearchParams(Buffer.concat(pieces).toString('utf8'));
    await provider.interactionFinished(
      request,
      response,
      said.get('act') === 'yes'
        ? { login: { accountId: said.get('login') || 'somebody' } }
        : { error: 'access_denied', error_description: '<b>They said no</b>' },
    );
  }
  return {
    async handle(request, response) {
      if (request.url?.startsWith('/interaction/')) return interact(request, response);
      await others(request, response);
    },
    async takes(token) {
      return (await provider.AccessToken.find(token)) !== undefined;
    },
  };
}
