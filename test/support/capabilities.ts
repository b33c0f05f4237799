// Another party's tool server, added and signed in to by the administrator of a test's app, as a browser does it.
import { expect } from 'vitest';
import type { Caller } from '../../src/kernel/caller.ts';
import { callCapability } from '../../src/features/automation/capabilities/call.ts';
import { callerNow } from '../../src/features/access/policies/standing.ts';
import type { Answer, PersonClient, TestApp } from './app.ts';
import type { ToolServer } from './tool-server.ts';

export const CAPABILITIES = '/api/admin/capabilities';

export const EVENT = {
  name: 'create_event',
  description: 'Creates an event.',
  inputSchema: { type: 'object', properties: {} },
};
export const TOOL = 'calendar__create_event';

/** Added, and signed in to; nothing is agreed to. */
export async function connectedServer(app: TestApp, stub: ToolServer): Promise<string> {
  const given = { name: 'calendar', title: 'Calendar', url: stub.url, auth: 'oauth' };
  const { id } = (await app.admin.rest('POST', CAPABILITIES, given)).body;
  await connectedThrough(app, id);
  return id;
}

/** The way of a browser to the other party's sign-in and back. */
export async function connectedThrough({ admin, url }: TestApp, id: string): Promise<void> {
  const begun = await admin.rest('POST', `${CAPABILITIES}/${id}/connect`, {});
  expect(begun.status, JSON.stringify(begun.body)).toBe(200);
  const there = await fetch(begun.body.url, { redirect: 'manual' });
  const back = new URL(there.headers.get('location') ?? '');
  const landed = await fetch(url + back.pathname + back.search, { redirect: 'manual' });
  const screen = new URL(landed.headers.get('location') ?? '', url);
  const finished = await admin.rest(
    'POST',
    `${CAPABILITIES}/finish`,
    Object.fromEntries(screen.searchParams),
  );
  expect(finished.status, JSON.stringify(finished.body)).toBe(200);
}

/** Agrees to every tool as the server describes it now. */
export async function agreeToAll({ admin }: TestApp, id: string): Promise<Answer> {
  const { body } = await admin.rest('POST', `${CAPABILITIES}/${id}/refresh`, {});
  const tools = body.tools.map(({ name, hash }: { name: string; hash: string }) => ({ name, hash }));
  const agreed = await admin.rest('POST', `${CAPABILITIES}/${id}/consent`, { tools });
  expect(agreed.status, JSON.stringify(agreed.body)).toBe(200);
  return agreed;
}

/** As an agent whose turn this person drives. */
export async function agentOf({ instance }: TestApp, person: PersonClient): Promise<Caller> {
  const by = { kind: 'person', id: person.id, name: person.name } as const;
  const { database, clock } = instance.app;
  const source = { turn: 'agent', surface: 'chat' } as const;
  const caller = await callerNow(database.reader, { by, token: null }, source, clock.now());
  if (!caller) throw new Error('nobody');
  return caller;
}

export const callAsAgent = async (app: TestApp, person: PersonClient, called = TOOL) =>
  callCapability(app.instance.app, await agentOf(app, person), { called, args: {}, allowed: [called] });
