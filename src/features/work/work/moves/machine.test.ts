// Owns the board's state machine whole, through the entry points: any order of moves, changes, claims, time and decisions by an
// agent, an author and another person ends where a model written from the domain's sentences says (domain.md §1.10, §1.11).
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decide, eventsOf, move, newProject, read } from '../../../../../test/support/board.ts';
import {
  openTestApp,
  type PersonClient,
  type TestApp,
  type TokenClient,
} from '../../../../../test/support/app.ts';
import type { Item } from '../items.contract.ts';
import { STATUSES, type Status } from '../contract.ts';

let app: TestApp;
let author: PersonClient;
let reviewer: PersonClient;
let agent: TokenClient;
let rival: TokenClient;

beforeAll(async () => {
  app = await openTestApp();
  author = await app.person({ name: 'Author' });
  reviewer = await app.person({ name: 'Reviewer' });
  agent = await app.token({ name: 'agent', user_id: author.id });
  rival = await app.token({ name: 'rival', user_id: reviewer.id });
});
afterAll(() => app.close());

type Who = 'author' | 'reviewer' | 'agent' | 'rival';
type Act =
  | { act: 'move'; who: Who; to: Status }
  | { act: 'retitle'; who: Who }
  | { act: 'claim'; who: Who }
  | { act: 'release'; who: Who }
  | { act: 'wait' }
  | { act: 'decide'; who: Who; decision: 'approve' | 'return' | 'reject' };

const who = fc.constantFrom<Who>('author', 'reviewer', 'agent', 'rival');
const acts: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ act: fc.constant('move' as const), who, to: fc.constantFrom(...STATUSES) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('move' as const),
      who: fc.constant('agent' as const),
      to: fc.constant('done' as const),
    }),
  },
  fc.record({ act: fc.constant('retitle' as const), who }),
  fc.record({ act: fc.constant('claim' as const), who }),
  fc.record({ act: fc.constant('release' as const), who }),
  fc.constant({ act: 'wait' as const }),
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('decide' as const),
      who,
      decision: fc.constantFrom('approve' as const, 'return' as const, 'reject' as const),
    }),
  },
);

/** What the domain says, without the product's rules: the status, who holds the card, and what has been told to the world. */
type Model = {
  status: Status;
  needs_review: boolean;
  holder: Who | null;
  waits: boolean;
  announced: boolean;
  events: number;
  opened: number;
};

const isAgent = (w: Who) => w === 'agent' || w === 'rival';

/** Moves the model; gives back whether the product must say yes. */
function expected(m: Model, step: Act): boolean {
  if (step.act === 'wait') {
    m.holder = null;
    return true;
  }
  const heldByOther = m.holder !== null && m.holder !== step.who;
  if (step.act === 'claim') {
    if (heldByOther || m.status === 'done' || m.status === 'cancelled') return false;
    m.holder = step.who;
    return true;
  }
  if (step.act === 'decide') {
    if (isAgent(step.who) || step.who === 'author' || !m.waits) return false;
    m.status =
      step.decision === 'approve' ? 'done' : step.decision === 'return' ? 'in_progress' : 'cancelled';
    m.waits = false;
    m.holder = null;
    return true;
  }
  if (isAgent(step.who) && heldByOther) return false;
  if (step.act === 'release') {
    m.holder = null;
    return true;
  }
  if (step.act === 'retitle') {
    if (m.waits) m.opened += 1;
    return true;
  }
  // Where it is already: nothing changes, and whoever claimed it while it waits still has it.
  if (step.to === 'in_review' && m.waits) return true;
  const parks =
    step.to === 'in_review' ||
    (step.to === 'done' && (isAgent(step.who) || m.waits || (m.needs_review && m.status !== 'done')));
  if (parks) {
    if (!m.waits) Object.assign(m, { opened: m.opened + 1, announced: false });
    m.waits = true;
    // It waits for a person: no worker has it.
    m.holder = null;
    m.status = 'in_review';
    if (step.to === 'done' && !m.announced) Object.assign(m, { announced: true, events: m.events + 1 });
    return true;
  }
  m.status = step.to;
  m.waits = false;
  if (step.to === 'done' || step.to === 'cancelled') m.holder = null;
  return true;
}

test('every order of acts ends where the domain says', async () => {
  const { key } = await newProject(app, { review_limit: 1000 });
  const clients = { author, reviewer, agent, rival };
  // Their tokens have been on an agent's turn: on direct REST they are agents as well.
  for (const token of [agent, rival]) await token.rpc('ping');

  const perform = async (item: Item, step: Act): Promise<boolean> => {
    if (step.act === 'wait') {
      app.clock.advance(31 * 60_000);
      return true;
    }
    const by = clients[step.who];
    if (step.act === 'move') return (await move(by, item, step.to)).status === 200;
    if (step.act === 'claim' || step.act === 'release')
      return (await by.rest('POST', `/api/work/items/${item.id}/${step.act}`, {})).status === 200;
    const now = await read(author, item);
    if (step.act === 'retitle')
      return (
        (
          await by.rest('PATCH', `/api/work/items/${item.id}`, {
            revision: now.revision,
            title: `${now.title}.`,
          })
        ).status === 200
      );
    if (now.approval_id === null) return false;
    return (await decide(by, now.approval_id, step.decision, { note: 'because' })).status === 200;
  };

  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.array(acts, { minLength: 4, maxLength: 12 }),
      async (needs_review, steps) => {
        const made = await author.rest('POST', '/api/work/items', {
          project: key,
          title: 'Card',
          needs_review,
        });
        const { item } = made.body;
        const model: Model = {
          status: 'backlog',
          needs_review,
          holder: null,
          waits: false,
          announced: false,
          events: 0,
          opened: 0,
        };
        for (const step of steps) {
          const should = expected(model, step);
          expect(await perform(item, step), JSON.stringify(step)).toBe(should);
        }
        const now = await read(author, item);
        const names = { author: author.id, reviewer: reviewer.id, agent: agent.id, rival: rival.id };
        expect({
          status: now.status,
          holder: now.claim?.holder.id ?? null,
          waits: now.approval_id !== null,
          completed: now.completed_at !== null,
        }).toEqual({
          status: model.status,
          holder: model.holder && names[model.holder],
          waits: model.waits,
          completed: model.status === 'done',
        });
        expect(await eventsOf(app, item)).toHaveLength(model.events);
        const approvals = await app.sql`select state from approvals where subject_id = ${item.id}`;
        expect(approvals).toHaveLength(model.opened);
        expect(approvals.filter((a) => a['state'] === 'pending')).toHaveLength(model.waits ? 1 : 0);
      },
    ),
    { numRuns: 30 },
  );
});
