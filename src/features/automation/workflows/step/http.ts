// Sends a request to a host that a person listed: checked and pinned like every outside address, never our own entry
// point, with nothing of ours in it except the secrets its headers name. A retried step sends the same
// Idempotency-Key.
import { SECOND_MS } from '../../../../kernel/clock.ts';
import type { App } from '../../../../kernel/app.ts';
import { ask } from '../../../../net/ask.ts';
import { opensAddress } from '../../../../net/switches.ts';
import { isOwn, OWN_ADDRESS } from '../../capabilities/rules.ts';
import type { WorkflowStep } from '../contract.ts';
import { isListed, placeOf, secretHeaders, withoutValues } from '../secrets/secrets.rules.ts';
import { secretOf } from '../secrets/secrets.store.ts';
import { listedHosts } from '../store.ts';

const TIMEOUT_MS = 20 * SECOND_MS;
const LIMIT_BYTES = 100_000;

type Asking = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  body?: unknown;
};

export async function reachOut(
  app: App,
  { method, url, headers, body }: Asking,
  /** As its version has it: only there a secret is named, never in what a reference filled in. */
  defined: Pick<WorkflowStep, 'kind' | 'input'>,
  key: string,
  signal: AbortSignal,
): Promise<{ answer: { status: number; body: unknown } } | { sentence: string }> {
  const to = URL.canParse(url) ? new URL(url) : null;
  if (!to) return { sentence: 'the url of this step became none: look at what its references gave' };
  if (isOwn(app.instance.base_url, to)) return { sentence: OWN_ADDRESS };
  const host = to.hostname;
  if (!isListed(await listedHosts(app.database.reader), to))
    return {
      sentence: `${host.slice(0, 120)} isn’t an allowed host: ask an administrator to add it in Settings → Workflows, then retry this run`,
    };
  const secrets = await secretsFor(app, defined, to);
  if ('sentence' in secrets) return secrets;
  const told = await ask(
    {
      method,
      url: to.href,
      headers: {
        'user-agent': `Dunnock/${app.instance.version}`,
        ...(typeof body !== 'string' && { 'content-type': 'application/json' }),
        ...headers,
        ...secrets.headers,
        'idempotency-key': key,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      timeoutMs: TIMEOUT_MS,
      limitBytes: LIMIT_BYTES,
      signal,
    },
    { lookup: app.outside.lookup, opening: app.outside.hosts },
  );
  if (told.error !== null)
    return {
      sentence:
        told.refused?.sentence ?? `${host.slice(0, 120)} gave no answer (${told.error}): retry asks it again`,
    };
  if (told.status >= 400)
    return { sentence: `${host.slice(0, 120)} answered ${told.status}: look there, and retry this run` };
  return { answer: { status: told.status, body: withoutValues(told.text, secrets.values) } };
}

/**
 * Opened for this request alone, each for its own host and port. Without encryption only to a host that the operator opened: it
 * is in their own network.
 */
async function secretsFor(
  { database, sealer, outside }: App,
  defined: Pick<WorkflowStep, 'kind' | 'input'>,
  to: URL,
): Promise<{ headers: Record<string, string>; values: string[] } | { sentence: string }> {
  const found: { headers: Record<string, string>; values: string[] } = { headers: {}, values: [] };
  for (const { header, scheme, name } of secretHeaders(defined)) {
    const secret = await secretOf(database.reader, sealer, name);
    if (to.protocol !== 'https:' && !opensAddress(outside.hosts, to.hostname, to.hostname))
      return {
        sentence: `the secret ${name} goes only over https: change the url of this step, activate the workflow again and retry this run`,
      };
    if (!secret || secret.host !== placeOf(to))
      return {
        sentence: `no secret ${name} is saved for ${placeOf(to).slice(0, 120)}: an administrator saves it in Settings → Workflows, then retry this run`,
      };
    const value = secret.value.reveal();
    found.headers[header] = `${scheme}${value}`;
    found.values.push(value);
  }
  return found;
}
