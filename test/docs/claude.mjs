// Stands in for a reader's client, which is another's program: takes the lines that the pages have for it, and connects by
// them with the official SDK. Anything else ends it with status 2.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

async function connect(url, headers) {
  const client = new Client({ name: 'a reader', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  const { tools } = await client.listTools();
  process.stdout.write(`Connected: ${tools.length} tools\n`);
  await client.close();
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    transport: { type: 'string' },
    header: { type: 'string' },
    'plugin-dir': { type: 'string' },
  },
});

if (positionals.slice(0, 3).join(' ') === 'mcp add dunnock' && values.transport === 'http') {
  const [name = '', value = ''] = (values.header ?? '').split(': ');
  await connect(positionals[3] ?? '', { [name]: value });
} else if (values['plugin-dir']) {
  const text = readFileSync(join(values['plugin-dir'], '.mcp.json'), 'utf8');
  const filled = text.replaceAll(/\$\{(\w+)\}/g, (_, name) => process.env[name] ?? '');
  const { dunnock } = JSON.parse(filled).mcpServers;
  await connect(dunnock.url, dunnock.headers);
} else process.exitCode = 2;
