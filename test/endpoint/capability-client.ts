// The program that the protocol's conformance suite starts as a client: our own sign-in and our own conversation, with a
// browser that follows every redirect at once. Arguments: the server's address.
import {
  begin,
  finish,
  type Away,
  type Credentials,
  type OauthDraft,
} from '../../src/features/automation/capabilities/oauth.ts';
import { renew } from '../../src/features/automation/capabilities/renewal.ts';
import { callTool, speak, toolsOf } from '../../src/features/automation/capabilities/speak.ts';
import { CapabilityTrouble } from '../../src/features/automation/capabilities/trouble.rules.ts';
import { guardedFetch } from '../../src/net/fetch.ts';
import { systemLookup } from '../../src/net/resolve.ts';
import { readAllowedHosts } from '../../src/net/switches.ts';

const CALLBACK = 'http://localhost:3000/callback';
/** The address that the suite serves a client's description for. */
const DESCRIBED_AT = 'https://conformance-test.local/client-metadata.json';
const MOST_SIGN_INS = 3;

const server = process.argv.at(-1) ?? '';
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as Record<
  string,
  string | undefined
>;
const fetch = guardedFetch(
  { lookup: systemLookup, opening: { allowedHosts: readAllowedHosts('localhost,127.0.0.0/8,::1') } },
  { firstMs: 10_000, idleMs: 10_000, limitBytes: 1_000_000 },
);
const away: Away = {
  server,
  fetch,
  callback: CALLBACK,
  described_at: DESCRIBED_AT,
  registered: context['client_id']
    ? { client_id: context['client_id'], client_secret: context['client_secret'] ?? null }
    : null,
};

let credentials: Credentials = {};

async function signIn(trouble: CapabilityTrouble): Promise<void> {
  const { url, draft } = await begin(away, 'state', { before: credentials, challenge: trouble.challenge });
  // As a browser would, but the last step, which leads back to us, is read and not taken.
  const answer = await globalThis.fetch(url, { redirect: 'manual' });
  const back = new URL(answer.headers.get('location') ?? '');
  // Through text, as the storage keeps it.
  const kept = JSON.parse(JSON.stringify(draft)) as OauthDraft;
  const code = back.searchParams.get('code') ?? '';
  credentials = await finish(away, kept, { code, iss: back.searchParams.get('iss') });
}

const bearer = {
  token: async () => credentials.tokens?.access_token ?? null,
  renew: async () => {
    credentials = await renew(away, credentials);
  },
};

async function once(): Promise<void> {
  const signal = AbortSignal.timeout(20_000);
  await speak({ url: server, fetch, bearer, version: '1', signal }, async (client) => {
    const [tool] = await toolsOf(client, signal);
    if (tool) await callTool(client, tool.name, {}, signal);
  });
}

function failed(reason: unknown): never {
  process.stderr.write(`${String(reason)}\n`);
  process.exit(1);
}

for (let signIns = 0; ; signIns += 1)
  try {
    await once();
    break;
  } catch (error) {
    const wanted = error instanceof CapabilityTrouble && ['sign_in', 'ended', 'scope'].includes(error.why);
    if (!wanted || signIns === MOST_SIGN_INS) {
      failed(error);
    }
    await signIn(error).catch(failed);
  }
