// The guard beside the client, run as a client runs it: each act that only a person does is stopped before it leaves, on
// every route, with a sentence that names the harm; what harms no one passes.
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { features } from '../../src/features.ts';
import type { AnyOperation } from '../../src/kernel/operation.ts';
import { pathKeys } from '../../src/kernel/operation.ts';
import { each, hook } from './hooks.ts';

const operations = features.flatMap((feature) => feature.operations.map((bound) => bound.operation));
const tools = features.flatMap((feature) => feature.tools ?? []);
const gated = operations.filter(
  (op) => op.wire !== 'never' || op.name === 'approval_decide' || op.name === 'token_mint',
);
const UUID = '0198c0de-0000-7000-8000-000000000001';

/** The path with something in the place of each key, and arguments that make a conditional act the act. */
const pathOf = (op: AnyOperation): string =>
  pathKeys(op.path).reduce(
    (path, key) => path.replace(`:${key}`, key === 'provider' ? 'resend' : UUID),
    op.path,
  );
const GATING: Record<string, object> = {
  identity_update: { active: true },
  outreach_verify: { addresses: ['a@b.example'], action: 'send' },
  campaign_enrol: { people: [UUID] },
};
const pre = (tool_name: string, tool_input: unknown) => ({
  session_id: 's',
  hook_event_name: 'PreToolUse',
  tool_name,
  tool_input,
});

function expectHarm({ stopped, sentence }: { stopped: boolean; sentence: string }, what: string): void {
  expect(stopped, what).toBe(true);
  expect(sentence, what).toMatch(/\./);
  expect(sentence.length, what).toBeLessThan(300);
  expect(sentence.split('\n'), what).toHaveLength(1);
}

describe('acts that only a person does', () => {
  test('each is stopped by api_request and by admin_request, however the path is spelled', async () => {
    const spelled = (path: string) => [path, `${path}/`, path.toUpperCase().replaceAll('/', '//')];
    const sources = gated.flatMap((op, at) =>
      ['mcp__dunnock__api_request', 'mcp__plugin_dunnock_dunnock__admin_request'].map((tool, by) => ({
        op,
        tool,
        path: spelled(pathOf(op))[(at + by) % 3] ?? '',
      })),
    );
    await each(sources, async ({ op, tool, path }) => {
      const call = pre(tool, { method: op.method.toLowerCase(), path, body: GATING[op.name] ?? {} });
      expectHarm(await hook('guard', call), `${op.name} by ${tool} at ${path}`);
    });
  });

  test('each is stopped by its named tool', async () => {
    const named = tools.filter((tool) => tool.calls.some((op) => gated.includes(op)));
    expect(named.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'approval_decide',
        'sequence_enrol',
        'webhook_register',
        'outreach_verify_email',
      ]),
    );
    await each(named, async ({ name, example }) => {
      const input =
        name === 'outreach_verify_email' ? { ...example, action: 'send' } : { ...example, dry_run: false };
      expectHarm(await hook('guard', pre(`mcp__dunnock__${name}`, input)), name);
    });
  });

  test('a script that names one is stopped', async () => {
    const script = 'return dunnock.call("send_approve", {send = "x"})';
    expectHarm(await hook('guard', pre('mcp__dunnock__run', { script })), 'run');
    const harmless = await hook(
      'guard',
      pre('mcp__dunnock__run', { script: 'return dunnock.call("item_list", {})' }),
    );
    expect(harmless.stopped).toBe(false);
  });

  test('what cannot be read is stopped where it names one, and let go where it is a read', async () => {
    for (const broken of [
      '{"tool_name":"mcp__dunnock__answer_send","tool_input":{"fingerprint":',
      '{"tool_name":"mcp__dunnock__api_request","tool_input":"{\\"method\\":\\"POST\\",\\"path\\":\\"/api/admin/outreach/sends/approve"',
      'approval_decide',
    ])
      if (!broken.includes('answer_send') || tools.some(({ name }) => name === 'answer_send'))
        expectHarm(await hook('guard', broken), broken);
    for (const broken of [
      '',
      '[]',
      'null',
      '{"tool_name":"mcp__dunnock__work_search","tool_input":{"project"',
    ])
      expect((await hook('guard', broken)).stopped, broken).toBe(false);
  });

  test('an act that a person has left to the agent passes, a decision never', async () => {
    const env = { DUNNOCK_GUARD_ALLOW: 'prospect.enrol, approval.decide' };
    const enrol = pre('mcp__dunnock__sequence_enrol', { campaign: UUID, people: [UUID] });
    expect((await hook('guard', enrol, env)).stopped).toBe(false);
    const decide = pre('mcp__dunnock__approval_decide', { approval_id: UUID, decision: 'approve' });
    expect((await hook('guard', decide, env)).stopped).toBe(true);
  });
});

describe('what harms no one', () => {
  test('every other tool passes with its example, and so does every other route', async () => {
    const sources = operations.filter((op) => !gated.includes(op));
    await each(
      sources.filter((_, at) => at % 12 === 0),
      async (op) => {
        const call = pre('mcp__dunnock__api_request', { method: op.method, path: pathOf(op), body: {} });
        expect((await hook('guard', call)).stopped, op.name).toBe(false);
      },
    );
    await each(
      tools.filter((tool) => !tool.calls.some((op) => gated.includes(op))),
      async ({ name, example }) => {
        expect((await hook('guard', pre(`mcp__dunnock__${name}`, example))).stopped, name).toBe(false);
      },
    );
  });

  test('a dry run, a check and an edit that sets nothing active pass', async () => {
    for (const [tool, input] of [
      ['sequence_enrol', { campaign: UUID, people: [UUID], dry_run: true }],
      ['outreach_verify_email', { address: 'a@b.example', action: 'check' }],
      [
        'api_request',
        { method: 'PATCH', path: `/api/admin/outreach/identities/${UUID}`, body: { name: 'Ada' } },
      ],
    ] as const)
      expect((await hook('guard', pre(`mcp__dunnock__${tool}`, input))).stopped, tool).toBe(false);
  });

  test('a tool of another server passes, whatever it is called', async () => {
    expect((await hook('guard', pre('mcp__other__approval_decide', {}))).stopped).toBe(false);
    expect((await hook('guard', pre('Bash', { command: 'approval_decide' }))).stopped).toBe(false);
  });
});

test('the plugin holds a bearer from the environment and runs both guards before a tool', async () => {
  const read = async (file: string) =>
    JSON.parse(await readFile(new URL(`../../client/${file}`, import.meta.url), 'utf8'));
  expect((await read('.mcp.json')).mcpServers.dunnock.headers).toEqual({
    Authorization: 'Bearer ${DUNNOCK_TOKEN}',
  });
  const [before] = (await read('hooks/hooks.json')).hooks.PreToolUse;
  expect(before.hooks.map(({ command }: { command: string }) => command.match(/[\w-]+\.mjs/)?.[0])).toEqual([
    'guard.mjs',
    'import-guard.mjs',
  ]);
});
