// The demo starts on an empty folder, says where it is and how to sign in, and its screens are full.
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../support/server.ts';

const ROOT = join(import.meta.dirname, '../..');

test('it starts on an empty folder, says how to sign in, and is full', { timeout: 300_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dunnock-demo-'));
  chmodSync(folder, 0o755);
  const child = spawn(process.execPath, ['scripts/demo.ts'], {
    cwd: ROOT,
    env: { ...process.env, DEMO_DATA_DIR: folder, PORT: String(await freePort()) },
  });
  let said = '';
  child.stdout.on('data', (bytes: Buffer) => (said += bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()));
  const ended = new Promise((done) => child.once('exit', done));
  try {
    await expect.poll(() => said, { timeout: 240_000 }).toContain('Its data:');
    const at = /is at (\S+)/.exec(said)?.[1] ?? '';
    const given = (name: string): string => new RegExp(`^${name}: +(.+)$`, 'm').exec(said)?.[1] ?? '';
    const signed = await fetch(`${at}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: given('Sign in'), password: given('Password') }),
    });
    expect(signed.status, said).toBe(200);
    const cookie = signed.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const count = async (path: string): Promise<number> => {
      const answer = await fetch(at + path, { headers: { cookie, origin: at } });
      expect(answer.status, path).toBe(200);
      return ((await answer.json()) as { items: unknown[] }).items.length;
    };
    expect(await count('/api/admin/outreach/campaigns')).toBe(3);
    expect(await count('/api/admin/crm/people')).toBeGreaterThan(20);
    expect(await count('/api/admin/crm/deals')).toBeGreaterThan(20);
    expect(await count('/api/inbox')).toBeGreaterThan(20);
    expect(await count('/api/approvals')).toBe(4);
    expect(await count('/api/admin/outreach/sends?state=review')).toBe(12);
  } finally {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
});
