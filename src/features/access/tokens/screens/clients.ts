// The lines that connect a client to this instance's tool endpoint. Everywhere the token is in a static header, and no
// OAuth is negotiated: the endpoint has none.

export type Client = {
  id: string;
  title: string;
  /** What to do with the text. */
  says: string;
  /** A file to write into, where it is one. */
  file?: string;
  text: string;
  after?: string;
};

const json = (value: unknown): string => JSON.stringify(value, null, 2);

export function clients(endpoint: string, value: string): Client[] {
  const header = `Bearer ${value}`;
  const plain = endpoint.startsWith('http://');
  return [
    {
      id: 'claude-code',
      title: 'Claude Code',
      says: 'Run this once in a terminal.',
      text: `claude mcp add --transport http dunnock ${endpoint} --header "Authorization: ${header}"`,
      after:
        'To check the connection, run /mcp in Claude Code. To use Dunnock in all your projects, add --scope user to the command above.',
    },
    {
      id: 'claude-desktop',
      title: 'Claude Desktop',
      says: 'Go to Settings, Developer, Edit Config. The mcp-remote bridge sends the header.',
      file: 'claude_desktop_config.json',
      text: json({
        mcpServers: {
          dunnock: {
            command: 'npx',
            args: [
              '-y',
              'mcp-remote',
              endpoint,
              '--header',
              'Authorization:${AUTHORIZATION}',
              ...(plain ? ['--allow-http'] : []),
            ],
            env: { AUTHORIZATION: header },
          },
        },
      }),
      after: 'Restart Claude Desktop.',
    },
    {
      id: 'vscode',
      title: 'VS Code',
      says: 'Add this to your workspace, or run "MCP: Open User Configuration".',
      file: '.vscode/mcp.json',
      text: json({
        servers: { dunnock: { type: 'http', url: endpoint, headers: { Authorization: header } } },
      }),
      after: 'Start the server with the link above its name.',
    },
    {
      id: 'cursor',
      title: 'Cursor',
      says: 'Add this to the project, or to the same file in your home folder for all projects.',
      file: '.cursor/mcp.json',
      text: json({ mcpServers: { dunnock: { url: endpoint, headers: { Authorization: header } } } }),
      after: 'Turn on dunnock under Settings, MCP.',
    },
    {
      id: 'codex',
      title: 'Codex',
      says: 'Add this in your home folder. The file is plain text, so make sure only you can read it.',
      file: '~/.codex/config.toml',
      text: `[mcp_servers.dunnock]\nurl = "${endpoint}"\nhttp_headers = { Authorization = "${header}" }`,
    },
    {
      id: 'curl',
      title: 'curl',
      says: 'Lists the tools to check that the token works.',
      text: [
        `curl -s ${endpoint} \\`,
        `  -H "Authorization: ${header}" \\`,
        `  -H "Content-Type: application/json" \\`,
        `  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`,
      ].join('\n'),
    },
    {
      id: 'other',
      title: 'Other',
      says: 'The settings every client needs.',
      text: [
        `Transport   Streamable HTTP`,
        `URL         ${endpoint}`,
        `Header      Authorization: ${header}`,
        `OAuth       off`,
      ].join('\n'),
    },
  ];
}
