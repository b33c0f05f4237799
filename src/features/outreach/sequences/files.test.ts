// Files that letters of steps carry: uploaded, bounded, named by steps, and forgotten where none names them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LETTER, newCampaign, O, saveSteps } from '../../../../test/support/campaigns.ts';
import { openTestApp, type TestApp } from '../../../../test/support/app.ts';
import { aCampaign, aDesk, aLetter } from '../../../../test/support/letters.ts';
import { DAY_MS, HOUR_MS } from '../../../kernel/clock.ts';
import { FILES_WAITING_MAX } from './rules.ts';

let app: TestApp;
let id: string;

beforeAll(async () => {
  app = await openTestApp();
  id = (await newCampaign(app.admin)).id;
});
afterAll(() => app?.close());

const sequence = async (campaign: string) =>
  (await app.admin.rest('GET', `${O}/campaigns/${campaign}/sequence`)).body.sequence;
const upload = (body: Record<string, unknown> = {}, campaign = id) =>
  app.admin.rest('POST', `${O}/campaigns/${campaign}/attachments`, {
    filename: 'terms.pdf',
    media_type: 'application/pdf',
    file_base64: 'JVBERi0=',
    ...body,
  });

describe('attachments', () => {
  test('are uploaded in base64 and named by steps in their order', async () => {
    const one = (await upload()).body.attachment;
    const two = (await upload({ filename: 'b.txt', media_type: 'text/plain', file_base64: 'aGk=' })).body
      .attachment;
    expect(one).toMatchObject({ filename: 'terms.pdf', size_bytes: 5 });
    expect(two.sha256).toHaveLength(64);
    const { steps } = await saveSteps(app.admin, id, [{ ...LETTER, attachments: [two.id, one.id] }]);
    expect(steps[0]!.attachments).toEqual([two, one]);
  });

  test.each([
    [{ file_base64: 'no base64!' }, 'file_base64'],
    [{ filename: 'a\r\nb.pdf' }, 'filename'],
    [{ filename: '../etc/passwd' }, 'filename'],
    [{ media_type: 'multipart/mixed' }, 'filename'],
    [{ media_type: 'text' }, 'media_type'],
  ])('what could forge a header or is no file is refused: %j', async (body, field) => {
    const answer = await upload(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.details.fields).toHaveProperty(field);
  });

  test('nothing over the cap of one body gets in', async () => {
    const answer = await upload({ file_base64: Buffer.alloc(800_000).toString('base64') });
    expect([400, 413]).toContain(answer.status);
    expect((await upload({ file_base64: Buffer.alloc(759_000).toString('base64') })).status).toBe(201);
  });
});

describe('a file is for the steps of its own campaign', () => {
  const stepsWith = (of: { id: string; revision: number }, file: string) =>
    ['PUT', `${O}/campaigns/${of.id}/sequence`, { ...LETTER, attachments: [file] }, of.revision] as const;
  const by = {
    'a route': async (...[method, path, step, revision]: ReturnType<typeof stepsWith>) => {
      const { status, body } = await app.admin.rest(method, path, { revision, steps: [step] });
      return { status, text: JSON.stringify(body) };
    },
    'a tool': async (...[method, path, step, revision]: ReturnType<typeof stepsWith>) => {
      const token = await app.token({ user_id: app.admin.id });
      const { text } = await token.tool('admin_request', { method, path, body: { revision, steps: [step] } });
      return { status: Number(/^HTTP (\d+)/.exec(text)?.[1] ?? 200), text };
    },
  };
  const saves = Object.entries(by);

  test.each(saves)('one of another campaign is none, by %s', async (_way, save) => {
    const theirs = (await upload({}, (await newCampaign(app.admin)).id)).body.attachment.id;
    const mine = await newCampaign(app.admin);
    const revision = (await sequence(mine.id)).revision;
    const refused = await save(...stepsWith({ id: mine.id, revision }, theirs));
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('steps.0.attachments.0');
    expect(refused.text).not.toContain('terms.pdf');
    const own = (await upload({}, mine.id)).body.attachment.id;
    expect(await save(...stepsWith({ id: mine.id, revision }, own))).toMatchObject({ status: 200 });
  });
});

describe('attachments that no step carries', () => {
  const kept = async (): Promise<string[]> => {
    await app.instance.jobs.run('sequences_expiry');
    const rows = await app.sql<{ id: string }[]>`select id from attachments order by id`;
    return rows.map((row) => row.id);
  };

  test('are so many in a campaign, whoever uploads them at once, and one that is named makes room', async () => {
    const campaign = (await newCampaign(app.admin)).id;
    const answers = await Promise.all(
      Array.from({ length: FILES_WAITING_MAX + 2 }, () => upload({}, campaign)),
    );
    const [made, refused] = [201, 409].map((status) => answers.filter((answer) => answer.status === status));
    expect([made?.length, refused?.length]).toEqual([FILES_WAITING_MAX, 2]);
    expect(refused?.[0]?.body.error.message).toContain('each is deleted a day after its upload');
    expect((await upload()).status).toBe(201);
    await saveSteps(app.admin, campaign, [{ ...LETTER, attachments: [made?.[0]?.body.attachment.id] }]);
    expect((await upload({}, campaign)).status).toBe(201);
  });

  test('go after a day, those of a step that was taken out too; what a step, a copy or a letter carries stays', async () => {
    const campaign = await aCampaign(app, await aDesk(app));
    const uploaded = async (): Promise<string> => (await upload({}, campaign.id)).body.attachment.id;
    const [stays, copied, drafted, out, loose] = [
      await uploaded(),
      await uploaded(),
      await uploaded(),
      await uploaded(),
      await uploaded(),
    ];
    const letter = (...attachments: string[]) => ({ ...LETTER, attachments });
    await saveSteps(app.admin, campaign.id, [{ ...letter(drafted), id: campaign.step_id }]);
    await aLetter(app, campaign);
    const { steps } = await saveSteps(app.admin, campaign.id, [letter(stays), letter(copied, out)]);
    const clone = await app.admin.rest('POST', `${O}/campaigns/${campaign.id}/clone`, { name: 'A copy' });
    const copy = (await sequence(clone.body.campaign.id)).steps;
    await saveSteps(app.admin, clone.body.campaign.id, [{ ...letter(copied), id: copy[1].id }]);
    await saveSteps(app.admin, campaign.id, [{ ...letter(stays), id: steps[0]!.id }]);

    const all = [stays, copied, drafted, out, loose];
    app.clock.advance(DAY_MS - HOUR_MS);
    expect(await kept()).toEqual(expect.arrayContaining(all));
    app.clock.advance(HOUR_MS);
    const left = await kept();
    expect(all.filter((each) => left.includes(each))).toEqual([stays, copied, drafted]);
    const again = await app.admin.rest('PUT', `${O}/campaigns/${campaign.id}/sequence`, {
      revision: (await sequence(campaign.id)).revision,
      steps: [{ ...letter(out), id: steps[0]!.id }],
    });
    expect(again.body.error.details.fields).toHaveProperty(['steps.0.attachments.0']);
  });
});
