// The vendor Resend: its HTTP API (its documentation, "API Reference") as a transport of letters, and its webhooks.
import { z } from 'zod';
import { HOUR_MS, SECOND_MS } from '../../kernel/clock.ts';
import { Secret } from '../../kernel/secret.ts';
import { ask, type Told } from '../../net/ask.ts';
import { serverWords } from '../reports/words.ts';
import type { Outcome, OutgoingLetter, Transport } from '../transport/transport.ts';
import { readResend, RESEND_EVENTS } from './resend-events.ts';
import { bodyOf } from './resend-letter.ts';
import { claimsSvix, verifySvix } from './svix.ts';
import type { Account, Asked, RefusedWhy, Vendor, Webhook } from './vendor.ts';

const TIMEOUT_MS = 30 * SECOND_MS;
const RAW_TIMEOUT_MS = 15 * SECOND_MS;
const LIMIT_BYTES = 256 * 1024;

const call = (
  { base_url, key, reach, agent }: Account,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  {
    body,
    headers,
    signal,
    limitBytes = LIMIT_BYTES,
    timeoutMs = TIMEOUT_MS,
  }: {
    body?: string;
    headers?: Record<string, string>;
    signal?: AbortSignal | undefined;
    limitBytes?: number;
    timeoutMs?: number;
  } = {},
): Promise<Told> =>
  ask(
    {
      method,
      url: `${base_url}${path}`,
      headers: {
        authorization: `Bearer ${key.reveal()}`,
        accept: 'application/json',
        'user-agent': agent,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
      timeoutMs,
      limitBytes,
      signal,
    },
    reach,
  );

const sentAnswer = z.object({ id: z.string().min(1).max(200) });
const named = z.object({
  name: z.string().max(100),
  message: z.string().max(2_000).optional().catch(undefined),
});

function openTransport(account: Account): Transport {
  return {
    async send(letter) {
      if (letter.signal?.aborted) return { outcome: 'not_sent', why: 'cut' };
      const body = await bodyOf(letter);
      // One call is the whole letter: nothing of it is out before this, and everything may be after.
      try {
        await letter.beforeFinalDot();
      } catch {
        return { outcome: 'not_sent', why: 'hook' };
      }
      return outcomeOf(await post(account, letter, body));
    },
    close: () => Promise.resolve(),
  };
}

const post = (account: Account, { idempotency_key, signal }: OutgoingLetter, body: string): Promise<Told> =>
  call(account, 'POST', '/emails', { body, headers: { 'idempotency-key': idempotency_key }, signal });

/** By status and by the name of the error alone. Whatever may have arrived is uncertain, and is asked again with its key. */
function outcomeOf(told: Told): Outcome {
  if (told.error !== null) {
    if (told.sent) return { outcome: 'uncertain' };
    return {
      outcome: 'unreachable',
      why: told.error === 'not_allowed' ? 'address' : unreachable(told.error),
    };
  }
  const { status } = told;
  if (status === 200 || status === 201) {
    const answer = sentAnswer.safeParse(jsonIn(told.text));
    return { outcome: 'accepted', server_message_id: null, reference: answer.data?.id ?? null };
  }
  const { name, message = '' } = named.safeParse(jsonIn(told.text)).data ?? {};
  const numbers = { code: null, enhanced: null, said: serverWords(message) };
  // A key that is wrong or may not send, and a sender that the vendor does not know: nothing goes until someone repairs it.
  if (status === 401 || status === 403) return { outcome: 'auth_refused', ...numbers };
  if (name === 'daily_quota_exceeded' || name === 'monthly_quota_exceeded') {
    const blame = { about: 'sender', kind: 'policy', cause: 'rate', trouble: 'quota' } as const;
    return { outcome: 'refused', stage: 'final', recipient: null, ...blame, ...numbers };
  }
  if (status === 429)
    return { outcome: 'deferred', stage: 'connect', greylisted: false, cause: 'rate', ...numbers };
  // 409: an earlier attempt with this key is under way, or went with other words. Of the rest no one knows.
  if (status === 408 || status === 409 || status >= 500 || status < 400) return { outcome: 'uncertain' };
  if (name === 'invalid_from_address') return { outcome: 'auth_refused', ...numbers };
  const cause = status === 413 ? 'too_big' : 'content';
  const blame = { about: 'content', kind: 'policy', cause } as const;
  return { outcome: 'refused', stage: 'final', recipient: null, ...blame, ...numbers };
}

function unreachable(error: Exclude<Told['error'], null | 'not_allowed'>) {
  if (error === 'unresolved') return 'dns' as const;
  if (error === 'tls' || error === 'certificate' || error === 'address') return error;
  return 'refused' as const;
}

function whyOf(told: Told): RefusedWhy | null {
  if (told.error !== null) return 'unreachable';
  const { status } = told;
  if (status >= 200 && status < 300) return null;
  if (status === 401 || status === 403) return 'key';
  if (status === 404) return 'gone';
  if (status === 429) return 'busy';
  return status >= 500 ? 'unreachable' : 'refused';
}

const no = (why: RefusedWhy): { ok: false; why: RefusedWhy } => ({ ok: false, why });

const webhookAnswer = z.object({
  id: z.string().min(1).max(200),
  signing_secret: z.string().min(20).max(500),
});

function webhookIn(told: Told): Asked<Webhook> {
  const why = whyOf(told);
  if (why !== null || told.error !== null) return no(why ?? 'unreachable');
  const answer = webhookAnswer.safeParse(jsonIn(told.text));
  if (!answer.success) return no('refused');
  const { id, signing_secret } = answer.data;
  return { ok: true, value: { external_id: id, secret: new Secret(signing_secret) } };
}

const listAnswer = z.object({ data: z.array(z.object({ id: z.string(), endpoint: z.string() })) });

/** One of this address that is there already was made by an attempt whose answer was lost, or by hand. */
async function createWebhook(
  account: Account,
  url: string,
  events: readonly string[],
): Promise<Asked<Webhook>> {
  const listed = await call(account, 'GET', '/webhooks?limit=100');
  const why = whyOf(listed);
  if (why !== null || listed.error !== null) return no(why ?? 'unreachable');
  const known = listAnswer.safeParse(jsonIn(listed.text)).data?.data ?? [];
  const body = JSON.stringify({ endpoint: url, events });
  for (const { id } of known.filter(({ endpoint }) => endpoint === url)) await removeWebhook(account, id);
  return webhookIn(await call(account, 'POST', '/webhooks', { body }));
}

const rotateSecret = async (account: Account, id: string): Promise<Asked<Webhook>> =>
  webhookIn(
    await call(account, 'POST', `/webhooks/${encodeURIComponent(id)}/signing-secret/rotate`, { body: '{}' }),
  );

async function removeWebhook(account: Account, id: string): Promise<Asked<null>> {
  const why = whyOf(await call(account, 'DELETE', `/webhooks/${encodeURIComponent(id)}`));
  return why === null || why === 'gone' ? { ok: true, value: null } : no(why);
}

/** A key that may only send is good too, and is refused this question by a name of its own. */
async function probe(account: Account): Promise<Asked<null>> {
  const told = await call(account, 'GET', '/domains');
  const why = whyOf(told);
  if (why === null) return { ok: true, value: null };
  const name = told.error === null ? named.safeParse(jsonIn(told.text)).data?.name : null;
  return name === 'restricted_api_key' ? { ok: true, value: null } : no(why);
}

const receivedAnswer = z.object({ raw: z.object({ download_url: z.string().max(10_000) }).nullish() });

/** Two questions: for the mail, which names where its bytes lie for a while, and for these, without the key. */
async function fetchMail(
  account: Account,
  external_id: string,
  limitBytes: number,
  signal?: AbortSignal,
): Promise<Asked<Buffer>> {
  const told = await call(
    account,
    'GET',
    `/emails/receiving/${encodeURIComponent(external_id)}?html_format=cid`,
    {
      signal,
      limitBytes,
      timeoutMs: RAW_TIMEOUT_MS,
    },
  );
  const why = whyOf(told);
  if (why !== null || told.error !== null) return no(why ?? 'unreachable');
  const url = URL.parse(receivedAnswer.safeParse(jsonIn(told.text)).data?.raw?.download_url ?? '');
  // Where the vendor itself is called over TLS, what it sends us on to is, too.
  if (!url || (url.protocol !== 'https:' && !account.base_url.startsWith('http:'))) return no('refused');
  const { reach, agent } = account;
  const headers = { accept: 'message/rfc822, */*', 'user-agent': agent };
  const raw = await ask(
    { method: 'GET', url: url.href, headers, timeoutMs: RAW_TIMEOUT_MS, limitBytes, signal },
    reach,
  );
  if (raw.error === 'too_long') return no('refused');
  const missed = whyOf(raw);
  // The address is good for a while only: asked again, there is another.
  if (missed !== null || raw.error !== null) return no(missed === 'busy' ? 'busy' : 'unreachable');
  return { ok: true, value: raw.bytes };
}

export const resend: Vendor = {
  provider: 'resend',
  events: RESEND_EVENTS,
  protecting: ['email.bounced', 'email.complained', 'email.suppressed'],
  openTransport,
  probe,
  createWebhook,
  rotateSecret,
  removeWebhook,
  fetchMail,
  rotation_ms: 24 * HOUR_MS,
  claimsSignature: claimsSvix,
  verify: verifySvix,
  read: readResend,
};

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
