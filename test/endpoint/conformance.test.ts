// The protocol's own conformance suite against our dispatcher and our edge, with the tools and resources that the suite
// looks for mounted in place of the product's.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NO_RESOURCE, RpcFault } from '../../src/entry/mcp/envelope.ts';
import type { Resources } from '../../src/entry/mcp/resources.ts';
import type { Tools, ToolResult } from '../../src/entry/mcp/tools.ts';
import { noResource } from '../../src/kernel/sentences.ts';
import { addBearer, BEARER, mount, type Mounted } from './mounted.ts';
import { commandOf, run } from './program.ts';

const BASELINE = join(import.meta.dirname, '../cases/conformance-baseline.yml');
const SUITE_MS = 60_000;

/** One red pixel, and a tenth of a second of silence. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const text = (says: string) => ({ type: 'text', text: says });
const image = { type: 'image', data: PNG, mimeType: 'image/png' };
const embedded = (uri: string, mimeType: string, says: string) => ({
  type: 'resource',
  resource: { uri, mimeType, text: says },
});

const RESULTS = new Map<string, ToolResult>([
  ['test_simple_text', { content: [text('This is a simple text response for testing.')] }],
  ['test_image_content', { content: [image] }],
  ['test_audio_content', { content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }],
  [
    'test_embedded_resource',
    {
      content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
    },
  ],
  [
    'test_multiple_content_types',
    {
      content: [
        text('Multiple content types test:'),
        image,
        embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
      ],
    },
  ],
  [
    'test_error_handling',
    { content: [text('This tool intentionally returns an error for testing')], isError: true },
  ],
]);

const toolbox: Tools = {
  list: {
    tools: [...RESULTS.keys()].map((name) => ({
      name,
      description: `Fixture: ${name}.`,
      inputSchema: { type: 'object', properties: {} },
    })),
  },
  has: (name) => RESULTS.has(name),
  call: async (name) => RESULTS.get(name) ?? { content: [] },
};

const shelf: Resources = {
  list: {
    resources: [
      { uri: 'test://static-text', name: 'Static text', description: 'A text.', mimeType: 'text/plain' },
      {
        uri: 'test://static-binary',
        name: 'Static binary',
        description: 'A picture.',
        mimeType: 'image/png',
      },
    ],
  },
  templates: {
    resourceTemplates: [
      {
        uriTemplate: 'test://template/{id}/data',
        name: 'Template',
        description: 'Data by id.',
        mimeType: 'application/json',
      },
    ],
  },
  async read(uri) {
    if (uri === 'test://static-text') {
      const says = 'This is the content of the static text resource.';
      return { contents: [{ uri, mimeType: 'text/plain', text: says }] };
    }
    if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: PNG }] };
    const id = /^test:\/\/template\/([a-z0-9]+)\/data$/.exec(uri)?.[1];
    if (!id) throw new RpcFault(NO_RESOURCE, noResource(uri));
    const says = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { contents: [{ uri, mimeType: 'application/json', text: says }] };
  },
};

let mounted: Mounted;
let proxy: Mounted;
let folder: string;

beforeAll(async () => {
  mounted = await mount(toolbox, shelf);
  proxy = await addBearer(mounted.url, BEARER);
  folder = mkdtempSync(join(tmpdir(), 'dunnock-conformance-'));
});

afterAll(async () => {
  await proxy.close();
  await mounted.close();
  rmSync(folder, { recursive: true, force: true });
});

test(
  'the conformance suite passes all of 2025-11-25 but the sixteen scenarios of the baseline',
  async () => {
    const suite = commandOf(
      import.meta.resolve('@modelcontextprotocol/conformance/package.json'),
      'conformance',
    );
    const what = [
      '--url',
      `${proxy.url}/mcp`,
      '--requirements',
      '2025-11-25',
      '--expected-failures',
      BASELINE,
    ];
    const { status, stdout, stderr } = await run(suite, ['server', ...what, '--output-dir', folder], {
      cwd: folder,
    });
    expect(status, `${stdout}\n${stderr}`).toBe(0);
  },
  SUITE_MS,
);

test('the baseline lists sixteen scenarios and never grows', () => {
  const listed = readFileSync(BASELINE, 'utf8').match(/^ {2}- [a-z0-9-]+/gm) ?? [];
  expect(listed.length).toBeLessThanOrEqual(16);
});
