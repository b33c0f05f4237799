// Whoever a script is run for is looked up before each of its calls: revoked while it works, it does nothing more.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openTestApp,
  type PersonClient,
  type RestClient,
  type TestApp,
} from '../../../../test/support/app.ts';
import { activeBy, runNow, startedBy, step } from '../../../../test/support/workflows.ts';

const ROUTE = '/api/admin/scripts/run';
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
  await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
});
afterAll(async () => app?.close());

const MANY = 150;
const scriptOf = (title: string): string => `
  local made, said = 0, nil
  for i = 1, ${MANY} do
    local answer, sentence = dunnock.try("item_create", { project = "OUT", title = "${title}" })
    if answer then made = made + 1 else said = sentence end
  end
  return { made = made, said = said }`;

const made = async (title: string): Promise<number> =>
  (await app.sql`select 1 from work_items where title = ${title}`).length;

/** What it had done when the revocation was answered, and what it had done at its end. */
async function revokedWhile(
  title: string,
  working: Promise<unknown>,
  revoke: () => Promise<{ status: number }>,
): Promise<void> {
  await expect.poll(() => made(title), { interval: 5 }).toBeGreaterThan(3);
  const { status } = await revoke();
  expect(status).toBeLessThan(300);
  const then = await made(title);
  await working;
  // One call may have been in its transaction when the answer came.
  expect(await made(title)).toBeLessThanOrEqual(then + 1);
  expect(await made(title)).toBeLessThan(MANY);
}

const asked = (who: RestClient, title: string) => who.rest('POST', ROUTE, { script: scriptOf(title) });
const signOut = (who: PersonClient) => who.rest('POST', '/api/auth/logout', {});

test('hole A8: a token that is deleted while its script works does nothing more', async () => {
  const token = await app.token({ scopes: { scripts: true } });
  await revokedWhile('by a token', asked(token, 'by a token'), () =>
    app.admin.rest('DELETE', `/api/admin/tokens/${token.id}`),
  );
});

test('hole A8: a person who signs out, or is disabled, while their script works does nothing more', async () => {
  const leaver = await app.person({ admin: true });
  await revokedWhile('signed out', asked(leaver, 'signed out'), () => signOut(leaver));
  const other = await app.person({ admin: true });
  await revokedWhile('disabled', asked(other, 'disabled'), () =>
    app.admin.rest('POST', `/api/admin/users/${other.id}/disable`, {}),
  );
});

test('hole A8: a token whose scope is taken away while its script works does nothing more', async () => {
  const token = await app.token({ scopes: { scripts: true } });
  await revokedWhile('without the scope', asked(token, 'without the scope'), async () => {
    await app.sql`update tokens set scripts = false where id = ${token.id}`;
    return { status: 200 };
  });
});

test('hole A8: a script of a workflow ends its acts with whoever activated, started or retried the run', async () => {
  const activator = await app.token({ scopes: { scripts: true } });
  const starter = await app.token({ scopes: { scripts: true } });
  for (const gone of [starter, activator]) {
    const title = `for ${gone.name}`;
    const workflow = await activeBy(activator, [step('script', 'lua', { script: scriptOf(title) })]);
    const run = await startedBy(starter === gone ? starter : app.admin, workflow);
    await revokedWhile(title, app.instance.jobs.run('workflow_steps'), () =>
      app.admin.rest('DELETE', `/api/admin/tokens/${gone.id}`),
    );
    expect((await runNow(app, run)).state).toBe('succeeded');
  }
});
