// A desk made of random acts, for tests of what is true of every desk: letters that went, bounced, wait, are held or were sent
// back, replies of every reading, drafted answers, opt-outs, deals, cards, paused campaigns and domains. Each act goes through the
// product's own routes and stores; one seed always makes the same desk.
import fc from 'fast-check';
import { DAY_MS, HOUR_MS } from '../../src/kernel/clock.ts';
import { READINGS } from '../../src/kernel/events.rules.ts';
import { moveSpine } from '../../src/features/outreach/prospects/spine/move.store.ts';
import { STEPPING } from '../../src/features/outreach/prospects/names.rules.ts';
import { letterWent } from '../../src/features/outreach/prospects/stepping/steps.store.ts';
import type { Stage } from '../../src/features/outreach/prospects/spine/spine.rules.ts';
import type { RestClient, TestApp, TokenClient } from './app.ts';
import { move, newItem, newProject } from './board.ts';
import { newDeal } from './crm.ts';
import { comesIn } from './inbound.ts';
import { aCampaign, aDesk, aLetter, O, type TestCampaign } from './letters.ts';
import { report, sentLetter, type SentLetter } from './sent.ts';

const ACTS = [
  'sent',
  'sent',
  'sent',
  'reply',
  'reply',
  'reading',
  'draft',
  'bounce',
  'opt_out',
  'stage',
  'review',
  'return',
  'reject',
  'hold',
  'uncertain',
  'pause',
  'pause_domain',
  'suppress',
  'deal',
  'close_deal',
  'card',
  'late',
  'park',
  'claim',
  'dry_run',
  'refused',
  'wait',
] as const;
export type DeskAct = { act: (typeof ACTS)[number]; n: number; days: number };

export const deskActs = (count: number): fc.Arbitrary<DeskAct[]> =>
  fc.array(
    fc.record({ act: fc.constantFrom(...ACTS), n: fc.nat(1000), days: fc.integer({ min: 1, max: 20 }) }),
    { minLength: Math.ceil(count / 2), maxLength: count },
  );

export type RandomDesk = {
  campaigns: TestCampaign[];
  project: { id: string; key: string };
  letters: SentLetter[];
  threads: string[];
  agent: TokenClient;
  /** An agent’s token with wire. */
  wired: TokenClient;
  /** A person’s token, which no agent uses, with wire: a session would end while the clock moves. */
  person: RestClient;
};

export async function randomDesk(app: TestApp, acts: readonly DeskAct[]): Promise<RandomDesk> {
  const sender = await aDesk(app);
  const agent = await app.token({ name: 'scout' });
  const wired = await app.token({ name: 'wired', scopes: { wire: true } });
  const signer = await app.token({ name: 'signer', scopes: { wire: true } });
  // Without `tool`, so that nothing takes it for an agent.
  const person: RestClient = { rest: (...call) => signer.rest(...call) };
  const desk: RandomDesk = {
    campaigns: [await aCampaign(app, sender), await aCampaign(app, sender)],
    project: await newProject(app),
    letters: [],
    threads: [],
    agent,
    wired,
    person,
  };
  for (const act of acts) await perform(app, desk, act);
  return desk;
}

const of = <T>(all: readonly T[], n: number): T | undefined => all[n % Math.max(all.length, 1)];

async function perform(app: TestApp, desk: RandomDesk, { act, n, days }: DeskAct): Promise<void> {
  const { agent, person, letters, threads } = desk;
  const campaign = of(desk.campaigns, n)!;
  const letter = of(letters, n);
  const thread = of(threads, n);
  const now = app.clock.now();
  const transact = app.instance.app.database.transact.bind(app.instance.app.database);
  app.clock.advance(1000);
  switch (act) {
    case 'wait':
      app.clock.advance(days * DAY_MS);
      return;
    case 'sent': {
      const made = await sentLetter(app, campaign);
      await transact((tx) =>
        letterWent(tx, { prospect_id: made.prospect_id, step_id: campaign.step_id, at: now }, now),
      );
      await app.sql`
        insert into letters_started (scope, scope_id, day, started)
        values ('campaign', ${campaign.id}, ${now.toISOString().slice(0, 10)}, 1)
        on conflict (scope, scope_id, day) do update set started = letters_started.started + 1`;
      return void letters.push(made);
    }
    case 'reply': {
      if (!letter) return;
      const came = await comesIn(app, {
        from: `Dana Roe <${letter.person.address}>`,
        in_reply_to: letter.message_id,
        subject: 'Re: Your bridge',
        text: n % 3 === 0 ? 'Unsubscribe' : `What does it cost? ${n}`,
      });
      if (came.touch) threads.push(came.touch['thread_id'] as string);
      return;
    }
    case 'reading':
      if (thread)
        await agent.rest('POST', `/api/threads/${thread}/reading`, {
          reading: of(READINGS, n)!,
        });
      return;
    case 'draft':
      if (thread) await agent.tool('answer_draft', { thread_id: thread, text: 'It costs ten.', again: true });
      return;
    case 'bounce':
      if (letter) await report(app, letter, { kind: 'hard' });
      return;
    case 'opt_out':
    case 'stage': {
      if (!letter) return;
      const stages: Stage[] = ['replied', 'declined', 'positive', 'meeting', 'won'];
      const stage = act === 'opt_out' ? 'unsubscribed' : of(stages, days)!;
      await transact((tx) =>
        moveSpine(tx, { prospect_id: letter.prospect_id, stage, cause: 'person' }, STEPPING, app.clock.now()),
      );
      return;
    }
    case 'review':
    case 'return':
    case 'reject': {
      const made = await aLetter(app, campaign);
      if (act === 'review') return;
      await person.rest('POST', `${O}/sends/${made.send_id}/${act}`, { note: 'Not about them.' });
      return;
    }
    case 'hold':
      if (letter)
        await app.sql`
          update sends set state = 'held', hold_reason = ${of(['suppressed', 'campaign_not_active', 'no_basis'], n)!},
            held_at = ${now}, sent_at = null, sending_at = null, delivery = null
          where id = ${letter.id} and state = 'sent'`;
      return;
    case 'uncertain':
      if (letter)
        await app.sql`
          update sends set state = 'uncertain', sent_at = null, delivery = null
          where id = ${letter.id} and state = 'sent'`;
      return;
    case 'pause':
      return void (await agent.rest('POST', `${O}/campaigns/${campaign.id}/pause`, {}));
    case 'pause_domain':
      return void (await agent.rest('POST', `${O}/domains/${campaign.domain_id}/pause`, {
        reason: 'Bounces',
      }));
    case 'suppress':
      if (letter) await agent.tool('suppress', { address: letter.person.address });
      return;
    case 'deal':
      return void (await newDeal(person, {
        name: `Deal ${n}`,
        amount: n * 100,
        currency: n % 2 ? 'EUR' : 'JPY',
        ...(letter && { person_id: letter.person.id }),
      }));
    case 'close_deal': {
      const [deal] = await app.sql<{ id: string; revision: number }[]>`
        select id, revision from deals where state = 'open' order by id limit 1`;
      if (deal)
        await person.rest('POST', `/api/admin/crm/deals/${deal.id}/state`, {
          revision: deal.revision,
          state: n % 2 ? 'won' : 'lost',
          ...(n % 2 ? {} : { lost_reason: 'Price' }),
        });
      return;
    }
    case 'card':
    case 'late':
    case 'park': {
      const item = await newItem(act === 'park' ? agent : person, desk.project.key, {
        title: `Card ${n}`,
        status: 'todo',
        ...(act === 'late' && { due_on: new Date(now.getTime() - 48 * HOUR_MS).toISOString().slice(0, 10) }),
        ...(letter && { links: [{ kind: 'person', ref: letter.person.id }] }),
      });
      if (act === 'park') await move(agent, item, 'done');
      return;
    }
    case 'claim':
      return void (await agent.tool('work_claim', { project: desk.project.key }));
    case 'dry_run':
      return void (await agent.tool('suppress', { domain: `d${n}.example`, dry_run: true }));
    case 'refused':
      return void (await agent.tool('sequence_enrol', { campaign: campaign.id, people: [] }));
  }
}
