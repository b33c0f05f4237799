// All 81 pairs of the spine through the entry points: every stage against every stage that is asked for, by hand of a person
// (domain.md §1.4). Written out, so that no rule of ours is what is compared with.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../../test/support/app.ts';
import { aCampaign, aDesk, enrolled, O, somebody } from '../../../../../test/support/letters.ts';
import { STAGES } from '../../../crm/people/stages.rules.ts';

/** Where each leaves someone: a row for where they exist, a column for what is asked. */
const TABLE: Record<string, string> = {
  //             enrolled     contacted    bounced      replied      declined     positive     meeting      won          unsubscribed
  enrolled:
    '    enrolled     contacted    bounced      replied      declined     positive     meeting      won          unsubscribed',
  contacted:
    '   contacted    contacted    bounced      replied      declined     positive     meeting      won          unsubscribed',
  bounced:
    '     bounced      bounced      bounced      replied      declined     positive     meeting      won          unsubscribed',
  replied:
    '     replied      replied      replied      replied      declined     positive     meeting      won          unsubscribed',
  declined:
    '    declined     declined     declined     declined     declined     positive     meeting      won          unsubscribed',
  positive:
    '    positive     positive     positive     positive     positive     positive     meeting      won          unsubscribed',
  meeting:
    '     meeting      meeting      meeting      meeting      meeting      meeting      meeting      won          unsubscribed',
  won: '         won          won          won          won          won          won          won          won          unsubscribed',
  unsubscribed:
    'unsubscribed unsubscribed unsubscribed unsubscribed unsubscribed unsubscribed unsubscribed unsubscribed unsubscribed',
};
const ORDER = TABLE['enrolled']?.trim().split(/\s+/) ?? [];

let app: TestApp;
let prospect: string;
beforeAll(async () => {
  app = await openTestApp();
  const campaign = await aCampaign(app, await aDesk(app));
  prospect = await enrolled(app, campaign, await somebody(app));
});
afterAll(() => app.close());

test('the table has every stage, both ways', () => {
  expect(Object.keys(TABLE)).toEqual([...STAGES]);
  expect(ORDER).toEqual([...STAGES]);
});

test.each(
  Object.entries(TABLE).flatMap(([present, row]) =>
    row
      .trim()
      .split(/\s+/)
      .map((becomes, at) => [present, ORDER[at] ?? '', becomes] as const),
  ),
)('%s and %s come to %s, and the answer says so', async (present, asked, becomes) => {
  await app.sql`
    update prospects set stage = ${present}, ended = null, ended_at = null where id = ${prospect}`;
  const { status, body } = await app.admin.rest('POST', `${O}/prospects/${prospect}/spine`, {
    stage: asked,
  });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body).toMatchObject({ moved: becomes !== present, stage: becomes, asked });
  expect(body.sentence).toMatch(
    becomes === present
      ? new RegExp(` stays at ${present}: .*\\.$`)
      : new RegExp(` moved from ${present} to ${asked}.*\\.$`),
  );
  expect(body.sentence.length).toBeLessThan(300);
  const [row] = await app.sql`select stage from prospects where id = ${prospect}`;
  expect(row).toEqual({ stage: becomes });
});
