// The REST surface as a page to read: a loop over the declared operations.
import type { App } from '../../kernel/app.ts';
import { gatesInWords } from './gates.ts';

const escape = (text: string): string => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

export function apiPage({ operations, instance }: Pick<App, 'operations' | 'instance'>): string {
  const rows = operations.map(
    (op) =>
      `<tr id="${op.name}"><td><code>${op.method}</code></td><td><code>${escape(op.path)}</code><p>${escape(op.says)}</p></td><td>${escape(gatesInWords(op))}</td></tr>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>API of ${escape(instance.name)} · Dunnock</title>
<style>:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.6rem .5rem;border-top:1px solid #8884}p{margin:.2rem 0 0}code{overflow-wrap:anywhere}</style></head>
<body><h1>API of ${escape(instance.name)}</h1><p>Send <code>Authorization: Bearer &lt;token&gt;</code> and JSON. Agents use <code>POST /mcp</code>. The same as <a href="/openapi.json">OpenAPI 3.1</a>.</p>
<table><thead><tr><th>Method</th><th>Path</th><th>Gates</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></body></html>`;
}
