// Every file of a list, as a spreadsheet reads it: no cell that someone wrote begins a formula.
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../support/app.ts';
import { aCampaign, aDesk, aLetter } from '../support/letters.ts';

const FORMULAS = [
  '=1+1',
  '+1+cmd',
  '-1+1',
  '@SUM(A1)',
  '=HYPERLINK("http://evil.example")',
  '\uff1d1+1',
  '\uff0b1',
  '\uff20SUM(1)',
];
const BEGINS = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
  const made = async (path: string, body: object): Promise<any> => {
    const answer = await app.admin.rest('POST', path, body);
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  };
  await made('/api/work/projects', { key: 'OUT', name: 'Outreach' });
  const desk = await aDesk(app);
  for (const [i, formula] of FORMULAS.entries()) {
    await made('/api/work/items', { project: 'OUT', title: formula, description: formula });
    await made('/api/admin/crm/companies', { name: `${formula} ${i}` });
    await made('/api/admin/crm/people', { name: formula, title: formula, tags: [formula.slice(0, 20)] });
    await app.person({ name: formula, email: `formula${i}@example.com` });
    await made('/api/workflows', { name: `${formula} ${i}` }).catch(() => undefined);
    await aLetter(app, await aCampaign(app, desk, { name: `${formula} ${i}` }), formula);
  }
});
afterAll(async () => app?.close());

test('no cell of any file begins a formula, and what was written is there', async () => {
  const files = app.instance.app.operations.filter(
    ({ answers }) => 'file' in answers && answers.file.startsWith('text/csv'),
  );
  expect(files.length).toBeGreaterThanOrEqual(12);
  const carried: string[] = [];
  for (const { name, path } of files) {
    if (path.includes('/:')) continue;
    const answer = await fetch(app.url + path, { headers: { cookie: app.admin.cookie } });
    const text = await answer.text();
    expect(answer.status, `${name} ${text.slice(0, 200)}`).toBe(200);
    const rows = parse(text, { bom: true }) as string[][];
    for (const row of rows)
      for (const cell of row) {
        const isNumber = /^-?\d+(\.\d+)?$/.test(cell);
        expect(BEGINS.test(cell) && !isNumber, `${name}: ${JSON.stringify(cell)}`).toBe(false);
      }
    if (rows.some((row) => row.some((cell) => /^'[=+\-@\uff1d\uff0b\uff20]/.test(cell)))) carried.push(name);
  }
  // Files that hold words of someone at the beginning of a cell.
  expect(carried.length, carried.join()).toBeGreaterThanOrEqual(7);
});
