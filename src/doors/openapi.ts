// The REST surface as a document (OpenAPI 3.1) and as a page to read; both are loops over the declared operations.
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { House } from '../kernel/house.ts';
import { KEY_FORM, takesKey } from '../kernel/idempotency.ts';
import { needsAction, pathKeys, type AnyOperation } from '../kernel/operation.ts';

type Json = Record<string, unknown>;

type Described = Pick<House, 'operations' | 'instance'>;

const AT_ONCE = 8;

/** The document's text, made while others are served: some hundred operations take a tenth of a second. */
export async function openApiText(house: Described): Promise<string> {
  const paths: Paths = {};
  for (const [i, op] of house.operations.entries()) {
    if (i % AT_ONCE === 0) await setImmediate();
    describe(op, paths);
  }
  return JSON.stringify(document(house, paths));
}

export function openApiDocument(house: Described): Json {
  const paths: Paths = {};
  for (const op of house.operations) describe(op, paths);
  return document(house, paths);
}

type Paths = Record<string, Json>;

function describe(op: AnyOperation, paths: Paths): void {
  const path = op.path.replace(/:([a-z_]+)/g, '{$1}');
  (paths[path] ??= {})[op.method.toLowerCase()] = described(op);
}

function document({ instance }: Described, paths: Paths): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: `Dunnock (${instance.name})`,
      version: instance.version,
      description:
        'The desk where software agents do outreach work and people sign for what cannot be taken back.',
    },
    servers: [{ url: instance.base_url }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      parameters: {
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description:
            'For 24 hours a second call with the same key and the same arguments does nothing and gives the first answer.',
          schema: { type: 'string', pattern: KEY_FORM.source },
        },
      },
      schemas: {
        Error: {
          type: 'object',
          required: ['error'],
          properties: {
            error: {
              type: 'object',
              required: ['code', 'message'],
              properties: {
                code: { type: 'string' },
                message: { type: 'string' },
                details: { type: 'object' },
              },
            },
          },
        },
      },
    },
  };
}

function described(op: AnyOperation): Json {
  const { properties = {}, required = [] } = z.toJSONSchema(op.takes, {
    io: 'input',
    unrepresentable: 'any',
  }) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  const inPath = pathKeys(op.path);
  const rest = Object.entries(properties).filter(([key]) => !inPath.includes(key));
  const asQuery = op.method === 'GET';
  const parameter =
    (where: string) =>
    ([key, schema]: [string, Json]) => ({
      name: key,
      in: where,
      required: where === 'path' || required.includes(key),
      schema,
    });
  return {
    operationId: op.name,
    summary: op.says,
    description: gatesInWords(op),
    parameters: [
      ...inPath.map((key) => parameter('path')([key, properties[key] ?? {}])),
      ...(asQuery ? rest.map(parameter('query')) : []),
      ...(takesKey(op) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ],
    ...(!asQuery &&
      rest.length > 0 && {
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: Object.fromEntries(rest),
                required: required.filter((key) => !inPath.includes(key)),
                additionalProperties: false,
              },
            },
            ...(op.upload && asMultipart(op.upload)),
          },
        },
      }),
    responses: {
      ...answerOf(op),
      default: {
        description: 'A refusal: one sentence.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

/** A file as a screen sends it (multipart.ts): beside it the other arguments, as JSON in a part of their own. */
const asMultipart = ({ argument }: { argument: string }): Json => ({
  'multipart/form-data': {
    schema: {
      type: 'object',
      properties: {
        [argument]: { type: 'string', format: 'binary', description: 'The file. In a session alone.' },
        arguments: { type: 'string', description: 'The other arguments, as one JSON object.' },
      },
      required: [argument],
      additionalProperties: false,
    },
    encoding: { arguments: { contentType: 'application/json' } },
  },
});

function answerOf(op: AnyOperation): Json {
  if ('stream' in op.answers)
    return { 200: { description: 'A live stream.', content: { 'text/event-stream': {} } } };
  if ('file' in op.answers) return { 200: { description: 'A file.', content: { [op.answers.file]: {} } } };
  const schema = z.toJSONSchema(op.gives, { io: 'output', unrepresentable: 'any' });
  return { [op.answers.json]: { description: 'Done.', content: { 'application/json': { schema } } } };
}

/** The gates of an operation, as a sentence: for the documents, and for ACCESS.md. */
export function gatesInWords(op: AnyOperation): string {
  const action = needsAction(op);
  const who = op.who === 'anyone' ? null : Object.keys(op.who)[0];
  return (
    [
      action === null ? 'Needs no right' : `Needs ${action}`,
      who && `for ${who.replaceAll('_', ' ')}`,
      op.step_up === 'needed' && 'a step-up within ten minutes in a session',
      op.wire !== 'never' &&
        `the wire scope for tokens (${op.wire.act}${op.wire.when ? ', depending on the arguments' : ''})`,
    ]
      .filter(Boolean)
      .join('; ') + '.'
  );
}

const escape = (text: string): string => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

export function apiPage({ operations, instance }: Pick<House, 'operations' | 'instance'>): string {
  const rows = operations.map(
    (op) =>
      `<tr id="${op.name}"><td><code>${op.method}</code></td><td><code>${escape(op.path)}</code><p>${escape(op.says)}</p></td><td>${escape(gatesInWords(op))}</td></tr>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>API of ${escape(instance.name)} · Dunnock</title>
<style>:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.6rem .5rem;border-top:1px solid #8884}p{margin:.2rem 0 0}code{overflow-wrap:anywhere}</style></head>
<body><h1>API of ${escape(instance.name)}</h1><p>Send <code>Authorization: Bearer &lt;token&gt;</code> and JSON. Agents use <code>POST /mcp</code>. The same as <a href="/openapi.json">OpenAPI 3.1</a>.</p>
<table><thead><tr><th>Method</th><th>Path</th><th>Gates</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></body></html>`;
}
