// The readable resources: a URI is matched literally, its one id goes through the same path rule as a request tool's path,
// and the read dispatches into the route that the screens use, as the calling token (interface specification §2.1).
import type { Caller } from '../../kernel/caller.ts';
import type { App } from '../../kernel/app.ts';
import { invoke } from '../../kernel/invoke.ts';
import { pathKeys } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { noResource, resourceForbidden } from '../../kernel/sentences.ts';
import type { Resource } from '../../kernel/tool.ts';
import { visible } from '../../kernel/visible.ts';
import { isSegment } from '../router.ts';
import { capped } from './cap.ts';
import { INTERNAL_ERROR, NO_RESOURCE, RpcFault } from './envelope.ts';

export type Resources = {
  /** The `resources/list` and `resources/templates/list` results. */
  list: unknown;
  templates: unknown;
  read(uri: string, caller: Caller): Promise<unknown>;
};

const MIME = 'application/json';
const LONGEST_URI = 2_048;

export function openResources(app: App, resources: Resource[]): Resources {
  const concrete = resources.filter((resource) => !resource.uri.includes('{'));
  const templated = resources.filter((resource) => resource.uri.includes('{'));
  return {
    list: {
      resources: concrete.map(({ uri, name, says }) => ({ uri, name, description: says, mimeType: MIME })),
    },
    templates: {
      resourceTemplates: templated.map(({ uri, name, says }) => ({
        uriTemplate: uri,
        name,
        description: says,
        mimeType: MIME,
      })),
    },
    async read(uri, caller) {
      const found = match(resources, uri);
      const bound = found && app.bound.get(found.resource.operation);
      if (!found || !bound) throw absent(uri);
      const { operation } = bound;
      const key = pathKeys(operation.path)[0];
      const args = {
        ...found.resource.arguments,
        ...(found.id !== null && key !== undefined && { [key]: found.id }),
      };
      try {
        const { answer } = await invoke(app, operation, caller, () => args);
        return {
          contents: [{ uri, mimeType: MIME, text: capped(visible(JSON.stringify(answer)), 'whole') }],
        };
      } catch (error) {
        throw faultOf(error, uri);
      }
    },
  };
}

/** The resource of a URI and the id in it, or null. No URL is parsed: other spellings of a URI are other strings. */
export function match(resources: Resource[], uri: string): { resource: Resource; id: string | null } | null {
  for (const resource of resources) {
    const [before = '', after] = resource.uri.split(/\{[a-z]+\}/);
    if (after === undefined) {
      if (uri === resource.uri) return { resource, id: null };
      continue;
    }
    if (!uri.startsWith(before) || !uri.endsWith(after) || uri.length <= before.length + after.length)
      continue;
    const id = uri.slice(before.length, uri.length - after.length);
    if (isSegment(id)) return { resource, id };
  }
  return null;
}

/** The error repeats the URI that was asked for, but never at length. */
const absent = (uri: string): RpcFault =>
  new RpcFault(NO_RESOURCE, noResource(uri.length > LONGEST_URI ? `${uri.slice(0, LONGEST_URI)}…` : uri));

function faultOf(error: unknown, uri: string): unknown {
  if (!(error instanceof Refusal)) return error;
  if (error.status === 403) return new RpcFault(NO_RESOURCE, resourceForbidden(uri));
  if (error.status === 404 || error.status === 400) return absent(uri);
  return new RpcFault(INTERNAL_ERROR, error.sentence);
}
