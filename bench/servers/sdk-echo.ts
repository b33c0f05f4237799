// The yardstick: the official SDK's stateless server over streamable HTTP with one echo tool, as its documentation has it:
// a server and a transport for each request, JSON answers.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

function echoServer(): McpServer {
  const server = new McpServer({ name: 'echo', version: '1' });
  server.registerTool(
    'echo',
    { description: 'Says what it is told.', inputSchema: { text: z.string() } },
    async ({ text }) => ({ content: [{ type: 'text', text }] }),
  );
  return server;
}

const http = createServer(async (request, response) => {
  const server = echoServer();
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  });
  response.on('close', () => {
    void transport.close();
    void server.close();
  });
  await server.connect(transport as Parameters<McpServer['connect']>[0]);
  await transport.handleRequest(request, response);
});
http.listen(0, '127.0.0.1', () =>
  process.send?.({ url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp` }),
);
