// Speaks HTTP to an instance by hand: any method, any request target, any header, any bytes. fetch would fix half of it.
import { request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';

export type Said = { status: number; headers: IncomingHttpHeaders; text: string };

export type Asked = {
  method?: string;
  /** The request target, sent as it is. */
  path?: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer;
};

export function ask(
  url: string,
  { method = 'POST', path = '/mcp', headers = {}, body }: Asked = {},
): Promise<Said> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, method, path, headers, agent: false }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text: Buffer.concat(parts).toString('utf8'),
        }),
      );
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

export type ListedTool = {
  name: string;
  description: string;
  inputSchema: { type: string; properties: Record<string, unknown> };
  annotations: Record<string, unknown>;
};

export type RpcAnswer = {
  id: string | number | null;
  result?: {
    content?: { type: string; text: string }[];
    isError?: boolean;
    contents?: { uri: string; mimeType: string; text: string }[];
    resources?: { uri: string }[];
    resourceTemplates?: { uriTemplate: string }[];
    tools?: ListedTool[];
    [key: string]: unknown;
  };
  error?: { code: number; message: string };
};

export type Agent = {
  /** POSTs these bytes to /mcp with the bearer and as JSON. */
  post(body: string | Buffer, headers?: OutgoingHttpHeaders): Promise<Said & { json: RpcAnswer }>;
  /** One well-formed request; `params` as JSON text where an object cannot say it. */
  call(method: string, params?: unknown): Promise<RpcAnswer>;
  /** A tool's result: its text, and whether it is a refusal. */
  tool(name: string, args: unknown): Promise<{ isError: boolean; text: string }>;
};

export function agentOf(url: string, bearer: string): Agent {
  const post: Agent['post'] = async (body, headers = {}) => {
    const said = await ask(url, {
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', ...headers },
      body,
    });
    return { ...said, json: jsonOf(said.text) as RpcAnswer };
  };
  const call: Agent['call'] = async (method, params) => {
    const given =
      params === undefined ? '' : `,"params":${typeof params === 'string' ? params : JSON.stringify(params)}`;
    const { status, text, json } = await post(
      `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)}${given}}`,
    );
    if (status !== 200) throw new Error(`HTTP ${status}: ${text}`);
    return json;
  };
  return {
    post,
    call,
    async tool(name, args) {
      const given = typeof args === 'string' ? args : JSON.stringify(args);
      const { result, error } = await call(
        'tools/call',
        `{"name":${JSON.stringify(name)},"arguments":${given}}`,
      );
      const [first] = result?.content ?? [];
      if (!result || !first) throw new Error(`no result: ${JSON.stringify(error)}`);
      return { isError: result.isError === true, text: first.text };
    },
  };
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
