// Files of a reply: large ones are saved, one that came without a name has one by its type, and no size is ever wrong.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../../test/support/app.ts';
import { arrives, landed } from '../../../../../test/support/inbound.ts';
import { aCampaign, aDesk, type TestCampaign } from '../../../../../test/support/letters.ts';
import { sentLetter } from '../../../../../test/support/sent.ts';

let app: TestApp;
let campaign: TestCampaign;
beforeAll(async () => {
  app = await openTestApp();
  campaign = await aCampaign(app, await aDesk(app));
});
afterAll(() => app.close());

const MB = 1024 * 1024;
type Part = { type: string; name?: string; bytes: Buffer };

const folded = (bytes: Buffer): string => bytes.toString('base64').replace(/.{76}/g, '$&\r\n');

async function withFiles(parts: readonly Part[], fetched = Infinity) {
  const letter = await sentLetter(app, campaign);
  const lines = [
    `From: ${letter.person.address}`,
    'To: ada@desk.example',
    'Subject: Re: Your bridge',
    `In-Reply-To: ${letter.message_id}`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'See the files.',
    ...parts.flatMap(({ type, name, bytes }) => [
      '--b',
      `Content-Type: ${type}`,
      'Content-Transfer-Encoding: base64',
      `Content-Disposition: attachment${name === undefined ? '' : `; filename="${name}"`}`,
      '',
      folded(bytes),
    ]),
    '--b--',
    '',
  ];
  const whole = Buffer.from(lines.join('\r\n'));
  const id = await arrives(app, whole.subarray(0, fetched));
  if (whole.length > fetched) await app.sql`update inbound_mails set cut = true where id = ${id}`;
  const { touch } = await landed(app, id);
  const { body } = await app.admin.rest('GET', `/api/threads/${touch?.['thread_id']}`);
  return { thread: String(touch?.['thread_id']), files: body.touches.at(-1).attachments as any[] };
}

test('a file of six megabytes is saved whole', async () => {
  const bytes = randomBytes(6 * MB);
  const { thread, files } = await withFiles([{ type: 'application/pdf', name: 'plan.pdf', bytes }]);
  expect(files).toMatchObject([{ filename: 'plan.pdf', size: 6 * MB, kept: true }]);
  const answer = await fetch(`${app.url}/api/threads/${thread}/attachments/${files[0].id}`, {
    headers: { cookie: app.admin.cookie },
  });
  expect(Buffer.compare(Buffer.from(await answer.arrayBuffer()), bytes)).toBe(0);
});

test('one whose end was not fetched has no size, and those before it are saved', async () => {
  const small = { type: 'text/csv', name: 'a.csv', bytes: Buffer.from('a,b\n') };
  const large = { type: 'application/pdf', name: 'b.pdf', bytes: randomBytes(3 * MB) };
  const { files } = await withFiles([small, large], 2 * MB);
  expect(files).toMatchObject([
    { filename: 'a.csv', size: 4, kept: true },
    { filename: 'b.pdf', size: null, kept: false },
  ]);
});

test('one without a name is called by its type', async () => {
  const bytes = Buffer.from('x');
  const types = ['text/calendar; method=REQUEST', 'image/png', 'application/pdf', 'application/x-nothing'];
  const { files } = await withFiles(types.map((type) => ({ type, bytes })));
  expect(files.map(({ filename }) => filename)).toEqual(['invite.ics', 'image.png', 'document.pdf', 'file']);
});
