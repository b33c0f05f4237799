// Traces for an OpenTelemetry collector, over OTLP. Loaded only if OTEL_EXPORTER_OTLP_ENDPOINT is set: no one else
// pays for it. It has no globals: the app is given a Trace like everything else.
import { withoutEnd } from '../kernel/edges.ts';
import { AsyncLocalStorage } from 'node:async_hooks';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace as api, type Context } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { Refusal } from '../kernel/refusal.ts';
import type { Trace } from '../kernel/trace.ts';

export type Telemetry = { trace: Trace; close(): Promise<void> };

export type TelemetryOptions = {
  /** OTEL_EXPORTER_OTLP_ENDPOINT, `http://collector:4318`. */
  endpoint: string;
  /** OTEL_EXPORTER_OTLP_HEADERS, `name=value` between commas. */
  headers: string;
  instance: string;
  version: string;
};

type Resource = NonNullable<NonNullable<ConstructorParameters<typeof TracerProvider>[0]>['resource']>;

export function openTelemetry({ endpoint, headers, instance, version }: TelemetryOptions): Telemetry {
  const exporter = new OTLPTraceExporter({
    url: `${withoutEnd(endpoint, '/')}/v1/traces`,
    headers: headersIn(headers),
  });
  const provider = new TracerProvider({
    resource: resourceOf({
      'service.name': 'dunnock',
      'service.instance.id': instance,
      'service.version': version,
    }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer('dunnock', version);
  const open = new AsyncLocalStorage<Context>();
  const trace: Trace = {
    span(name, facts, work) {
      const parent = open.getStore() ?? ROOT_CONTEXT;
      const kind = parent === ROOT_CONTEXT ? SpanKind.SERVER : SpanKind.INTERNAL;
      const span = tracer.startSpan(name, { attributes: facts, kind }, parent);
      return open.run(api.setSpan(parent, span), async () => {
        try {
          return await work((more) => void span.setAttributes(more));
        } catch (error) {
          // A refusal is the product working; of a fault its class is told, since its text may hold what someone sent.
          if (error instanceof Refusal) span.setAttributes({ 'dunnock.refusal': error.code });
          else {
            span.setAttributes({ 'error.type': error instanceof Error ? error.name : 'unknown' });
            span.setStatus({ code: SpanStatusCode.ERROR });
          }
          throw error;
        } finally {
          span.end();
        }
      });
    },
  };
  return { trace, close: () => provider.shutdown() };
}

function headersIn(text: string): Record<string, string> {
  const pairs = text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each.includes('='))
    .map((each) => [
      each.slice(0, each.indexOf('=')).trim(),
      decoded(each.slice(each.indexOf('=') + 1).trim()),
    ]);
  return Object.fromEntries(pairs) as Record<string, string>;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function resourceOf(attributes: Record<string, string>): Resource {
  const resource: Resource = {
    attributes,
    merge: (other) =>
      other ? resourceOf({ ...attributes, ...(other.attributes as Record<string, string>) }) : resource,
    getRawAttributes: () => Object.entries(attributes),
  };
  return resource;
}
