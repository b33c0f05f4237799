// A mail vendor on loopback that speaks as Resend's documentation says: letters with idempotency keys, webhooks with secrets,
// and reports that it signs. It keeps what it was asked, and does what a test tells it.
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { receiver, type Arrived } from './receiver.ts';

export type VendorLetter = {
  id: string;
  from: string;
  to: string[];
  subject: string;
  text?: string;
  headers: Record<string, string>;
  tags: { name: string; value: string }[];
};

type StubWebhook = { id: string; endpoint: string; events: string[]; secrets: string[] };

export type ResendStub = AsyncDisposable & {
  url: string;
  letters: VendorLetter[];
  webhooks: StubWebhook[];
  arrived: Arrived[];
  /** Keys that it knows; another is refused. */
  keys: Set<string>;
  /** Mail that it took for us, byte for byte, under the ids of its events; deleted, it is gone there. */
  received: Map<string, Buffer>;
  /** What the next letters are answered with in place of being taken; `take_and_hang`: they are, and the answer is lost. */
  next: ({ status: number; name: string } | 'take_and_hang')[];
  /** Posts an event to every webhook that wants it, as the vendor would; gives the answers' statuses. */
  post(type: string, letter: VendorLetter, more?: Posted): Promise<number[]>;
};

export type Posted = {
  data?: Record<string, unknown>;
  /** The same event again has the same id. */
  id?: string;
  at?: Date;
};

const newSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`;

export async function resendStub(now: () => Date): Promise<ResendStub> {
  const letters: VendorLetter[] = [];
  const byKey = new Map<string, { body: string; id: string }>();
  const webhooks: StubWebhook[] = [];
  const keys = new Set<string>(['re_0123456789abcdefghij']);
  const next: ResendStub['next'] = [];
  const received = new Map<string, Buffer>();
  const shown = ({ id, endpoint, events }: StubWebhook) => ({ object: 'webhook', id, endpoint, events });

  const take = (response: ServerResponse, { headers, body }: Arrived): void => {
    const planned = next.shift();
    if (planned && planned !== 'take_and_hang') return refuse(response, planned.status, planned.name);
    const key = String(headers['idempotency-key'] ?? '');
    const text = body.toString();
    const known = byKey.get(key);
    if (known && known.body !== text) return refuse(response, 409, 'invalid_idempotent_request');
    const id = known?.id ?? randomUUID();
    if (!known) {
      byKey.set(key, { body: text, id });
      letters.push({ id, ...(JSON.parse(text) as Omit<VendorLetter, 'id'>) });
    }
    if (planned === 'take_and_hang') return void response.destroy();
    say(response, 200, { id });
  };

  const route = (response: ServerResponse, request: Arrived): void => {
    // Signed by its address: no key is sent there.
    const [, raw] = /^\/raw\/([^?]+)\?signature=there$/.exec(request.path) ?? [];
    if (raw !== undefined) {
      if (request.headers.authorization !== undefined) return refuse(response, 400, 'invalid_request');
      return void response.writeHead(200, { 'content-type': 'binary/octet-stream' }).end(received.get(raw));
    }
    const key = String(request.headers.authorization ?? '').replace(/^Bearer /, '');
    if (key === '') return refuse(response, 401, 'missing_api_key');
    if (!keys.has(key)) return refuse(response, 403, 'invalid_api_key');
    const [path = ''] = request.path.split('?');
    const asked = `${request.method} ${path}`;
    const [, id, rest] = /^\/webhooks\/([^/]+)(\/.*)?$/.exec(path) ?? [];
    const found = webhooks.find((each) => each.id === id);
    if (asked === 'POST /emails') return take(response, request);
    const [, mail] = /^GET \/emails\/receiving\/([^/]+)$/.exec(asked) ?? [];
    if (mail !== undefined) {
      if (!received.has(mail)) return refuse(response, 404, 'not_found');
      const download_url = `http://127.0.0.1:${server.port}/raw/${mail}?signature=there`;
      return say(response, 200, {
        object: 'email',
        id: mail,
        raw: { download_url, expires_at: now().toISOString() },
      });
    }
    if (asked === 'GET /domains') return say(response, 200, { object: 'list', data: [] });
    if (asked === 'GET /webhooks')
      return say(response, 200, { object: 'list', has_more: false, data: webhooks.map(shown) });
    if (asked === 'POST /webhooks') {
      const { endpoint, events } = JSON.parse(request.body.toString()) as Pick<
        StubWebhook,
        'endpoint' | 'events'
      >;
      const made = { id: randomUUID(), endpoint, events, secrets: [newSecret()] };
      webhooks.push(made);
      return say(response, 201, { object: 'webhook', id: made.id, signing_secret: made.secrets[0] });
    }
    if (!found) return refuse(response, 404, 'not_found');
    if (request.method === 'DELETE' && rest === undefined) {
      webhooks.splice(webhooks.indexOf(found), 1);
      return say(response, 200, { object: 'webhook', id, deleted: true });
    }
    if (request.method === 'POST' && rest === '/signing-secret/rotate') {
      // For a day it signs with the old one too.
      found.secrets = [newSecret(), ...found.secrets.slice(0, 1)];
      return say(response, 200, { object: 'webhook', id, signing_secret: found.secrets[0] });
    }
    refuse(response, 405, 'method_not_allowed');
  };

  const server = await receiver((response) => {
    const request = server.arrived.at(-1);
    if (request) route(response, request);
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    letters,
    webhooks,
    arrived: server.arrived,
    keys,
    next,
    received,
    async post(type, letter, more = {}) {
      const wanting = webhooks.filter(({ events }) => events.includes(type));
      return Promise.all(
        wanting.map(({ endpoint, secrets }) =>
          postSigned(endpoint, secrets, eventOf(type, letter, more, now()), now()),
        ),
      );
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

export type SignedEvent = { id: string; body: string };

export function eventOf(
  type: string,
  letter: Pick<VendorLetter, 'id' | 'from' | 'to' | 'subject'> & { tags: VendorLetter['tags'] },
  { data, id, at }: Posted,
  now: Date,
): SignedEvent {
  const { from, to, subject, tags } = letter;
  const body = JSON.stringify({
    type,
    created_at: (at ?? now).toISOString(),
    data: {
      created_at: now.toISOString(),
      email_id: letter.id,
      message_id: `<${letter.id}@vendor.example>`,
      from,
      to,
      subject,
      tags: Object.fromEntries(tags.map(({ name, value }) => [name, value])),
      ...data,
    },
  });
  return { id: id ?? `msg_${randomBytes(12).toString('hex')}`, body };
}

/** The headers of a post, signed with each of these secrets. */
export function signed(
  { id, body }: SignedEvent,
  secrets: readonly string[],
  at: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'content-type': 'application/json',
    'svix-id': id,
    'svix-timestamp': timestamp,
    'svix-signature': signatures.join(' '),
  };
}

export async function postSigned(
  endpoint: string,
  secrets: readonly string[],
  event: SignedEvent,
  at: Date,
): Promise<number> {
  const answer = await fetch(endpoint, {
    method: 'POST',
    headers: signed(event, secrets, at),
    body: event.body,
  });
  await answer.text();
  return answer.status;
}

const say = (response: ServerResponse, status: number, body: unknown): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const refuse = (response: ServerResponse, status: number, name: string): void =>
  say(response, status, { statusCode: status, name, message: 'something that only the vendor says' });
