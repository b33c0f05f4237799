// The import guard beside the client: a file of people is written only once its preview was read in the same session.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hook, type Verdict } from './hooks.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guard-'));
});
afterAll(() => rm(folder, { recursive: true }));

const FILE = 'name,email\nDana Roe,dana@example.com\n';
const ROUTE = { method: 'POST', path: '/api/admin/crm/people/import' };

function call(
  event: 'PreToolUse' | 'PostToolUse',
  tool: string,
  input: unknown,
  more: object = {},
): Promise<Verdict> {
  const said = {
    session_id: 'one',
    hook_event_name: event,
    tool_name: `mcp__dunnock__${tool}`,
    tool_input: input,
  };
  return hook('import-guard', { ...said, ...more }, { DUNNOCK_GUARD_DIR: folder });
}
const writes = async (input: object, more?: object): Promise<boolean> =>
  !(await call('PreToolUse', 'people_import', { ...input, dry_run: false }, more)).stopped;

test('a write without a preview is stopped, and the sentence says what to do first', async () => {
  const verdict = await call('PreToolUse', 'people_import', { file: FILE, dry_run: false });
  expect(verdict.stopped).toBe(true);
  expect(verdict.sentence).toMatch(/read the plan with the person, then import\.$/);
  expect(verdict.sentence.length).toBeLessThan(300);
});

test('the previewed file passes, as text or as base64, and nothing else does', async () => {
  expect((await call('PreToolUse', 'people_import', { file: FILE, tags: ['fair'] })).stopped).toBe(false);
  expect(await writes({ file: FILE, tags: ['fair'] })).toBe(false);
  await call(
    'PostToolUse',
    'people_import',
    { file: FILE, tags: ['fair'] },
    { tool_response: { content: [] } },
  );
  expect(await writes({ file: FILE, tags: ['fair'] })).toBe(true);
  expect(await writes({ tags: ['fair'], file_base64: Buffer.from(FILE).toString('base64') })).toBe(true);
  expect(await writes({ file: `${FILE} `, tags: ['fair'] })).toBe(false);
  expect(await writes({ file: FILE })).toBe(false);
  expect(await writes({ file: FILE, tags: ['fair'], on_duplicate: 'update' })).toBe(false);
  expect(await writes({ file: FILE, tags: ['fair'] }, { session_id: 'two' })).toBe(false);
});

test('a preview that was refused is none', async () => {
  await call('PostToolUse', 'people_import', { file: 'refused' }, { tool_response: { isError: true } });
  expect(await writes({ file: 'refused' })).toBe(false);
});

test('the same holds through the request tools', async () => {
  const body = { file: 'name\nAda\n' };
  const written = { ...ROUTE, body: { ...body, dry_run: false } };
  expect((await call('PreToolUse', 'api_request', written)).stopped).toBe(true);
  await call('PostToolUse', 'admin_request', { ...ROUTE, body });
  expect((await call('PreToolUse', 'api_request', written)).stopped).toBe(false);
});

test('what is no literal false is a preview and passes; what cannot be read is stopped where it would write', async () => {
  for (const dry_run of ['false', 0, null, '', [], undefined])
    expect((await call('PreToolUse', 'people_import', { file: 'x', dry_run })).stopped).toBe(false);
  expect(
    (await hook('import-guard', '{"tool_name":"mcp__dunnock__people_import","tool_input":{"dry_run": false'))
      .stopped,
  ).toBe(true);
  expect((await hook('import-guard', '{"tool_name":"mcp__dunnock__work_search"')).stopped).toBe(false);
  expect((await call('PreToolUse', 'work_search', {})).stopped).toBe(false);
});
