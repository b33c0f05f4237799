// Acts that a built-in agent proposes, as tests have them proposed and decided.
import { expect } from 'vitest';
import { endOf, stream, type ChatApp } from './chat.ts';
import { somebody, type TestCampaign } from './letters.ts';

export type Proposing = ReturnType<typeof proposing>;

export function proposing({ app, model }: ChatApp, campaign: TestCampaign) {
  let named = 0;
  return {
    /** The turn's last proposal: of this operation, by the administrator's agent. */
    async proposed(
      operation: string,
      args: object,
      more: object = {},
    ): Promise<{ id: string; thread_id: string }> {
      model.next.push(
        { calls: [{ name: 'call_operation', input: { operation, arguments: args } }] },
        { text: 'I proposed it.' },
      );
      const end = endOf(await stream(app, app.admin, { message: 'Do it', ...more }));
      const [made] = end.pending;
      expect(made?.operation, JSON.stringify(model.asked.at(-1)?.body.messages.at(-1))).toBe(operation);
      return { id: end.pending.at(-1)!.id, thread_id: end.thread_id };
    },
    approve: (id: string, more: object = {}) =>
      app.admin.rest('POST', `/api/approvals/${id}/decide`, { decision: 'approve', revision: 1, ...more }),
    /** How many are enrolled in the campaign. */
    enrolled: async (): Promise<number> =>
      (await app.sql`select 1 from prospects where campaign_id = ${campaign.id}`).length,
    /** A segment of everyone who has the tag. */
    async aSegment(tag: string): Promise<{ id: string; revision: number }> {
      const filter = { all: [{ field: 'tags', op: 'any', value: [tag] }] };
      const segment = { name: `Fair ${(named += 1)}`, filter };
      const made = await app.admin.rest('POST', '/api/admin/crm/segments', segment);
      expect(made.status, JSON.stringify(made.body)).toBe(201);
      return made.body.segment;
    },
    async tagged(tag: string) {
      const one = await somebody(app);
      await app.sql`update people set tags = ${[tag]} where id = ${one.id}`;
      return one;
    },
  };
}
