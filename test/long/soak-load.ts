// The mixed load of a soak: agents on the board by MCP, screens that read with a session and listen to live updates, people who
// are put into a campaign and written to, and some of them who answer. Every course goes on until it is told to stop, and
// writes what it asked for into the ledger.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { mailBytes } from '../support/inbound.ts';
import type { Outside, SoakApp } from './soak-app.ts';
import { ask, type Ledger, type Told } from './soak-ledger.ts';
import type { Node } from './soak-nodes.ts';

type Load = {
  ledger: Ledger;
  app: SoakApp;
  outside: Outside;
  /** Which serve people and agents. */
  nodes: Node[];
  ending: AbortSignal;
  /** Notifies that open screens were told. */
  changes: { told: number };
};

/** Pauses between acts: about twenty a second in all, which two cores carry beside everything else. */
const AGENT_MS = 250;
const SCREEN_MS = 250;
const ENROL_MS = 500;
/** One letter in so many is answered. */
const ANSWERED_ONE_IN = 4;

const SCREENS = [
  '/api/work/items?limit=25',
  '/api/work/projects/OUT/board',
  '/api/inbox',
  '/api/inbox/counts',
  '/api/today',
  '/api/approvals',
  '/api/admin/outreach/sends?limit=25',
  '/api/admin/crm/people?limit=25',
  '/api/admin/crm/deals',
  '/api/admin/events/recent',
  '/api/admin/activity',
  '/api/admin/health',
  '/api/search?query=bridge',
];

/** Returns when all of it has ended. */
export async function runLoad(load: Load): Promise<void> {
  const { nodes, app } = load;
  const at = (n: number): Node => nodes[n % nodes.length]!;
  await Promise.all([
    ...app.agents.map((token, n) => course(load, AGENT_MS, () => agent(load, at(n), token))),
    ...nodes.map((node) => course(load, SCREEN_MS, (turn) => screen(load, node, turn))),
    ...nodes.map((node) => course(load, 1_000, () => live(load, node))),
    ...nodes.map((node) => course(load, ENROL_MS, () => enrol(load, node))),
    course(load, ENROL_MS, answering(load)),
  ]);
}

async function course(
  { ending }: Load,
  pauseMs: number,
  turn: (count: number) => Promise<void>,
): Promise<void> {
  for (let count = 0; !ending.aborted; count += 1) {
    await turn(count);
    await sleep(pauseMs * (0.5 + Math.random()), undefined, { signal: ending }).catch(() => undefined);
  }
}

/** A card from its making to its review. */
async function agent({ ledger }: Load, node: Node, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const rpc = (method: string, params: unknown): Promise<Told> =>
    ask(ledger, {
      node,
      method: 'POST',
      path: '/mcp',
      body: { jsonrpc: '2.0', id: 1, method, params },
      headers,
    });
  const tool = (name: string, args: unknown): Promise<Told> => rpc('tools/call', { name, arguments: args });
  const title = `card ${randomUUID()}`;
  const made = await tool('work_create', { project: 'OUT', title, status: 'todo', again: true });
  ledger.cards.set(title, made.sure);
  await tool('work_search', { project: 'OUT', status: 'todo', limit: 5 });
  await rpc('resources/read', { uri: 'service://sends/held' });
  await tool('instance_digest', {});
  if (made.sure !== 'yes') return;
  const { id } = JSON.parse(made.body.result.content[0].text).item;
  await tool('work_move', { item_id: id, status: 'in_progress' });
  const parked = await tool('work_move', { item_id: id, status: 'done' });
  ledger.parked.set(id, parked.sure);
}

async function screen({ ledger, app }: Load, node: Node, turn: number): Promise<void> {
  const path = SCREENS[turn % SCREENS.length] ?? '';
  await ask(ledger, { node, method: 'GET', path, headers: { cookie: app.cookie, origin: node.url } });
}

/** An open screen: it listens until the process that tells it is gone. */
async function live({ app, changes, ending }: Load, node: Node): Promise<void> {
  try {
    const answer = await fetch(`${node.url}/api/events`, {
      headers: { cookie: app.cookie },
      signal: ending,
    });
    for await (const piece of answer.body ?? [])
      changes.told += new TextDecoder().decode(piece).split('\ndata:').length - 1;
  } catch {
    // The next turn listens again, as a browser does.
  }
}

async function enrol({ ledger, app }: Load, node: Node): Promise<void> {
  const headers = { authorization: `Bearer ${app.wired}` };
  const address = `p.${randomUUID()}@mail.example`;
  const person = {
    name: 'Dana Roe',
    addresses: [{ value: address }],
    source: 'a fair',
    basis: 'legitimate_interest',
  };
  const made = await ask(ledger, {
    node,
    method: 'POST',
    path: '/api/admin/crm/people',
    body: person,
    headers,
  });
  if (made.sure !== 'yes') return;
  const path = `/api/admin/outreach/campaigns/${app.campaign}/enrol`;
  const told = await ask(ledger, {
    node,
    method: 'POST',
    path,
    body: { people: [made.body.person.id] },
    headers,
  });
  ledger.enrolled.set(address, told.sure);
  if (told.sure === 'yes' && told.body.enrolled !== 1)
    ledger.wrong.push(`enrol: ${JSON.stringify(told.body)}`);
}

/** Who was written to, and answers where it came from. */
function answering({ ledger, app, outside }: Load): () => Promise<void> {
  let read = 0;
  return async () => {
    for (; read < outside.sink.letters.length; read += 1) {
      if (read % ANSWERED_ONE_IN > 0) continue;
      const { to, bytes } = outside.sink.letters[read]!;
      const answered = messageIdOf(bytes);
      // The envelope's sender takes bounces alone.
      const from = /^From:.*<([^>]+)>/im.exec(bytes.toString('latin1'))?.[1] ?? '';
      const message_id = `<${randomUUID()}@mail.example>`;
      const mail = mailBytes({
        from: `Dana Roe <${to[0]}>`,
        to: from,
        message_id,
        in_reply_to: answered,
        references: [answered],
        text: 'Yes, we are interested: please call me on Thursday.',
      });
      await outside.imap.deliver(app.mailboxes.get(from) ?? '', mail);
      ledger.answers.set(message_id, answered);
    }
  };
}

export const messageIdOf = (bytes: Buffer): string =>
  /^Message-ID:\s*(<[^>]+>)/im.exec(bytes.toString('latin1'))?.[1] ?? '';
