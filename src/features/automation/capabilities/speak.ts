// One conversation with another party’s tool server: opened, used and closed within one deadline. The server learns
// only which protocol version we speak, its requests get no answer, and its schemas are saved but never compiled.
import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import type { GuardedFetch } from '../../../net/fetch.ts';
import type { Hints } from './contract.ts';
import { MOST_TOOLS } from './limits.rules.ts';
import { troubleOf } from './oauth.ts';
import { CapabilityTrouble, type Challenge } from './trouble.rules.ts';

export type Bearer = {
  /** Null: the server is tried without one. */
  token(): Promise<string | null>;
  /** `stale` was refused: the next `token` is another, or this throws `sign_in`. */
  renew(stale: string | null): Promise<void>;
};

export type Server = {
  url: string;
  fetch: GuardedFetch;
  bearer: Bearer;
  version: string;
  signal: AbortSignal;
};

export type FoundTool = { name: string; says: string; schema: unknown; hints: Hints };

const MOST_PAGES = 20;

/** Runs `work` with a client; throws a CapabilityTrouble, with the server's challenge where it asks for a sign-in. */
export async function speak<T>(server: Server, work: (client: Client) => Promise<T>): Promise<T> {
  const {
    Client: McpClient,
    StreamableHTTPClientTransport,
    extractWWWAuthenticateParams,
  } = await import('@modelcontextprotocol/client');
  let challenge: Challenge | null = null;
  let used: string | null = null;
  const transport = new StreamableHTTPClientTransport(new URL(server.url), {
    fetch: server.fetch,
    onInsufficientScope: 'throw',
    requestInit: { signal: server.signal },
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 1_000,
      reconnectionDelayGrowFactor: 1,
    },
    authProvider: {
      async token() {
        used = await server.bearer.token();
        return used ?? undefined;
      },
      async onUnauthorized({ response }) {
        const { scope, resourceMetadataUrl } = extractWWWAuthenticateParams(response);
        challenge = { scope: scope ?? null, resource_metadata: resourceMetadataUrl?.href ?? null };
        await server.bearer.renew(used);
      },
    },
  });
  const client = new McpClient(
    { name: 'dunnock', version: server.version },
    {
      versionNegotiation: { mode: 'auto' },
      // Someone else's schema may hold a pattern that never ends: nothing of it is run here.
      jsonSchemaValidator: {
        getValidator: () => (input: unknown) => ({
          valid: true,
          data: input as never,
          errorMessage: undefined,
        }),
      },
    },
  );
  const over = Promise.withResolvers<never>();
  // Read where it matters, in the race below.
  over.promise.catch(() => undefined);
  const stop = (): void => {
    over.reject(new CapabilityTrouble('slow'));
    void client.close().catch(() => undefined);
  };
  server.signal.addEventListener('abort', stop);
  const conversation = async (): Promise<T> => {
    await client.connect(transport, { signal: server.signal });
    return work(client);
  };
  try {
    if (server.signal.aborted) throw new CapabilityTrouble('slow');
    // The library hands its signal to some of what it waits for, and not to a token, a name that is looked up, or a handshake.
    return await Promise.race([conversation(), over.promise]);
  } catch (error) {
    if (server.signal.aborted) throw new CapabilityTrouble('slow');
    const trouble = await troubleOf(error);
    throw trouble.why === 'sign_in' || trouble.why === 'ended'
      ? new CapabilityTrouble('sign_in', { challenge: trouble.challenge ?? challenge })
      : trouble;
  } finally {
    server.signal.removeEventListener('abort', stop);
    await client.close().catch(() => undefined);
  }
}

/** All tools it has, up to a bound that no honest server meets. */
export async function toolsOf(client: Client, signal: AbortSignal): Promise<FoundTool[]> {
  const found: FoundTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { tools, nextCursor } = await client.listTools(cursor === undefined ? {} : { cursor }, { signal });
    for (const { name, description = '', inputSchema, annotations } of tools)
      found.push({ name, says: description, schema: inputSchema, hints: hintsIn(annotations) });
    if (found.length > MOST_TOOLS) throw new CapabilityTrouble('too_long');
    if (nextCursor === undefined) return found;
    cursor = nextCursor;
  }
  throw new CapabilityTrouble('too_long');
}

type Annotations = Awaited<ReturnType<Client['listTools']>>['tools'][number]['annotations'];

const hintsIn = (said: Annotations): Hints => ({
  reads_only: said?.readOnlyHint ?? null,
  destroys: said?.destructiveHint ?? null,
  repeatable: said?.idempotentHint ?? null,
  reaches_out: said?.openWorldHint ?? null,
});

/** What a tool answered, as text alone; pictures and the like are only counted. */
export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown>,
  signal: AbortSignal,
): Promise<{ text: string; failed: boolean; left_out: number }> {
  const answer = (await client.callTool({ name, arguments: args }, { signal })) as CallToolResult;
  const texts = answer.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return {
    text: texts.join('\n'),
    failed: answer.isError === true,
    left_out: answer.content.length - texts.length,
  };
}
