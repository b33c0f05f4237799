// The REST surface as a document (OpenAPI 3.1), from which clients are generated: a loop over the declared operations. Each has
// the area of its feature as its tag; what many share (schemas, refusals, parameters of lists) exists once, under components.
import type { App } from '../../kernel/app.ts';
import { KEY_FORM, takesKey } from '../../kernel/idempotency.ts';
import { FIELDS, isList } from '../../kernel/lean.ts';
import { pathKeys, type AnyOperation } from '../../kernel/operation.ts';
import { page } from '../../kernel/shapes.ts';
import { gatesInWords } from './gates.ts';
import { REFUSALS, refusalsOf } from './refusals.ts';
import { schemasOf, type Json, type Schemas } from './schemas.ts';
import { headOf, lines } from './served.ts';

type Described = Pick<App, 'features' | 'instance'>;

/** The document's text. It is generated with the product; served.ts gives it to an instance. */
export function openApiText(app: Described): string {
  return `${lines(openApiDocument(app), 3)}\n`;
}

function openApiDocument({ features, instance }: Described): Json {
  const operations = features.flatMap((feature) => feature.operations.map((bound) => bound.operation));
  const schemas = schemasOf(operations);
  const paths: Record<string, Json> = {};
  for (const { area, operations: bound } of features)
    for (const { operation } of bound)
      (paths[operation.path.replace(/:([a-z_]+)/g, '{$1}')] ??= {})[operation.method.toLowerCase()] = {
        tags: [area],
        ...described(operation, schemas),
      };
  return {
    ...headOf(instance),
    tags: [...new Set(features.map(({ area }) => area))].map((name) => ({ name })),
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      parameters: PARAMETERS,
      responses: REFUSALS,
      schemas: schemas.components,
    },
  };
}

const PARAMETERS: Record<string, Json> = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'For 24 hours, a repeated call with the same key and arguments does nothing and returns the first response.',
    schema: { type: 'string', pattern: KEY_FORM.source },
  },
  Limit: {
    name: 'limit',
    in: 'query',
    required: false,
    description: 'The maximum number of rows.',
    schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
  },
  Cursor: {
    name: 'cursor',
    in: 'query',
    required: false,
    description: 'The next_cursor of the previous page.',
    schema: { type: 'string', maxLength: 400 },
  },
  Fields: {
    name: FIELDS,
    in: 'query',
    required: false,
    description:
      'Fields of each row to return, separated by commas; `company.name` picks one inside another. Rows have all of them by default; `all` says so.',
    schema: { type: 'string' },
  },
};

const shared = (name: keyof typeof PARAMETERS): Json => ({ $ref: `#/components/parameters/${name}` });

function described(op: AnyOperation, schemas: Schemas): Json {
  const takes = schemas.takes.get(op.name) as { properties?: Record<string, Json>; required?: string[] };
  const { properties = {}, required = [] } = takes;
  const inPath = pathKeys(op.path);
  const rest = Object.entries(properties).filter(([key]) => !inPath.includes(key));
  const query = op.method === 'GET' ? rest : [];
  const body = op.method === 'GET' ? [] : rest;
  const parameters = [
    ...inPath.map((name) => ({ name, in: 'path', required: true, schema: properties[name] ?? {} })),
    ...query.map(([name, schema]) => {
      if (op.takes.shape[name] === page.limit) return shared('Limit');
      if (op.takes.shape[name] === page.cursor) return shared('Cursor');
      return { name, in: 'query', required: required.includes(name), ...inQuery(schema, schemas) };
    }),
    ...(isList(op) ? [shared('Fields')] : []),
    ...(takesKey(op) ? [shared('IdempotencyKey')] : []),
  ];
  return {
    operationId: op.name,
    summary: op.says,
    description: gatesInWords(op),
    ...(parameters.length > 0 && { parameters }),
    ...(body.length > 0 && { requestBody: bodyOf(op, Object.fromEntries(body), required) }),
    responses: { ...answerOf(op, schemas), ...refusalsOf(op) },
  };
}

/** Several values are one text with commas (entry points/arguments.ts). */
function inQuery(schema: Json, { components }: Schemas): Json {
  const whole = (each: Json): Json =>
    typeof each['$ref'] === 'string' ? (components[each['$ref'].split('/').at(-1) ?? ''] ?? {}) : each;
  const ways = [schema, ...((schema['anyOf'] as Json[] | undefined) ?? [])].map(whole);
  return ways.some(({ type }) => type === 'array') ? { style: 'form', explode: false, schema } : { schema };
}

function bodyOf(op: AnyOperation, properties: Record<string, Json>, takes: string[]): Json {
  const required = takes.filter((key) => key in properties);
  const schema = { type: 'object', properties, required, additionalProperties: false };
  return {
    ...(required.length > 0 && { required: true }),
    content: { 'application/json': { schema }, ...(op.upload && asMultipart(op.upload)) },
  };
}

/** A file as a screen sends it (multipart.ts): beside it the other arguments, as JSON in a part of their own. */
const asMultipart = ({ argument }: { argument: string }): Json => ({
  'multipart/form-data': {
    schema: {
      type: 'object',
      properties: {
        [argument]: {
          type: 'string',
          format: 'binary',
          description: 'The file. Accepted only in a session.',
        },
        arguments: { type: 'string', description: 'The other arguments, as one JSON object.' },
      },
      required: [argument],
      additionalProperties: false,
    },
    encoding: { arguments: { contentType: 'application/json' } },
  },
});

function answerOf(op: AnyOperation, { gives }: Schemas): Json {
  const text = { schema: { type: 'string' } };
  const given = { schema: gives.get(op.name) };
  if ('stream' in op.answers)
    return { 200: { description: 'A live stream.', content: { 'text/event-stream': given } } };
  if ('file' in op.answers) {
    const bytes = { schema: { type: 'string', format: 'binary' } };
    const isText = op.answers.file.startsWith('text/');
    return { 200: { description: 'A file.', content: { [op.answers.file]: isText ? text : bytes } } };
  }
  return { [op.answers.json]: { description: 'Done.', content: { 'application/json': given } } };
}
