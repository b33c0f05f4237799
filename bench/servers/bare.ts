// The upper yardstick: node:http that reads a JSON-RPC body and echoes.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const server = createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  const { id, params } = JSON.parse(Buffer.concat(parts).toString()) as {
    id: number;
    params: { arguments: { text: string } };
  };
  const answer = JSON.stringify({
    jsonrpc: '2.0',
    id,
    result: { content: [{ type: 'text', text: params.arguments.text }] },
  });
  response
    .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) })
    .end(answer);
});
server.listen(0, '127.0.0.1', () =>
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` }),
);
