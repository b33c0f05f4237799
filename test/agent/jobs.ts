// Fourteen everyday jobs, as an agent does them that knows only the list of tools and what digests say. Each gives what it found or
// did, so that whoever measures them sees that it was done; what a job is told beforehand is what a person would say.
import type { ListedCampaign } from '../../src/features/outreach/campaigns/contract.ts';
import type { Metered } from './meter.ts';

export type Told = {
  /** Someone whom a person asks about, and someone who asked for no more letters. */
  person: string;
  leaver: string;
  /** A list that a person hands over. */
  file: string;
  /** Whom a person names to give work to. */
  colleague: string;
};

export type Job = { name: string; does(desk: Metered, told: Told): Promise<Record<string, unknown>> };

type Next = { what: string; with: string; who: string };

/** The first step of a digest's that an agent may take and that names this. */
function step(digest: { next: Next[] }, names: string): Next {
  const found = digest.next.find((each) => each.who === 'agent' && each.with.includes(names));
  if (!found) throw new Error(`no next step leads to ${names}: ${JSON.stringify(digest.next)}`);
  return found;
}

const rate = (of: number, all: number): number => (all === 0 ? 1 : of / all);

export const JOBS: Job[] = [
  {
    name: 'what needs me',
    async does(desk) {
      const { waiting, broken } = await desk.ask('instance_digest');
      return { review: waiting.letters.review, paused: broken.domains.lines[0].state };
    },
  },
  {
    name: 'why is nothing going out',
    async does(desk) {
      const said = await desk.ask('sending_digest');
      const [domain] = said.domains.lines;
      const { current } = await desk.follow(step(said, '/evidence'));
      return { domain: domain.domain, why: current?.reason ?? domain.paused_reason };
    },
  },
  {
    name: 'take the next card and park it',
    async does(desk) {
      const { items } = await desk.ask('work_search', { status: 'todo', limit: 1 });
      const { item } = await desk.ask('work_claim', { item_id: items[0].id });
      const done = await desk.ask('work_move', { item_id: item.id, status: 'done', note: 'Rewritten.' });
      return { status: done.item.status, approval_id: done.approval_id };
    },
  },
  {
    name: 'import a list',
    async does(desk, { file }) {
      const given = { file, filename: 'fair.csv', source: 'fair', basis: 'legitimate_interest' };
      const { totals } = await desk.ask('people_import', given);
      const { created } = await desk.ask('people_import', { ...given, dry_run: false });
      return { planned: totals.create, created };
    },
  },
  {
    name: 'answer a question',
    async does(desk) {
      const { unanswered } = await desk.ask('replies_digest', { reading: 'neutral' });
      const { thread_id } = unanswered.lines[0];
      const { person } = await desk.ask('thread_get', { thread_id });
      const { answer } = await desk.ask('answer_draft', {
        thread_id,
        text: `Dear ${person.name.split(' ')[0]}, for twelve offices it is 1,200 euros a month, and May is well possible.`,
      });
      const { proposal } = await desk.ask('propose', {
        act: 'answer_send',
        arguments: { answer_id: answer.id, fingerprint: answer.fingerprint },
        why: 'They asked what it costs.',
      });
      return { state: answer.state, proposal: proposal.state };
    },
  },
  {
    name: 'find who is stuck',
    async does(desk) {
      const { held, oldest } = await desk.ask('held_digest');
      const [first] = oldest.lines;
      const { fix } = held.reasons.find((each: { reason: string }) => each.reason === first.reason);
      return { held: held.count, person: first.person, fix };
    },
  },
  {
    name: 'write a better letter for review',
    async does(desk) {
      const fields = 'id,campaign_id,person_id,step_id';
      const letters = await desk.follow(step(await desk.ask('instance_digest'), '/sends {'), { fields });
      const [letter] = letters.items;
      const { send } = await desk.ask('letter_draft', {
        campaign: letter.campaign_id,
        person_id: letter.person_id,
        step: letter.step_id,
        text: 'Dear Dana,\ncongratulations on the new office. May I show you in ten minutes what others of your size did?',
        reason: 'They moved last week',
      });
      const { proposal } = await desk.ask('propose', {
        act: 'send_approve',
        arguments: { send: send.id, fingerprint: send.fingerprint },
        why: 'It says why now.',
      });
      return { state: send.state, proposal: proposal.state };
    },
  },
  {
    name: 'who is this person and what happened',
    async does(desk, { person }) {
      const said = await desk.ask('person_digest', { address: person });
      const { touches } = await desk.ask('thread_digest', { thread_id: said.threads.lines[0].thread_id });
      return { name: said.person.name, touches: touches.count };
    },
  },
  {
    name: 'which campaign does worst and why',
    async does(desk) {
      const { items } = await desk.follow(step(await desk.ask('instance_digest'), '/campaigns {'));
      const [worst] = items.toSorted(
        (a: ListedCampaign, b: ListedCampaign) =>
          rate(a.counts.replied, a.counts.contacted) - rate(b.counts.replied, b.counts.contacted),
      );
      const { campaign } = await desk.ask('campaign_digest', { campaign: worst.id });
      const { steps } = await desk.ask('sequence_digest', { campaign: worst.id });
      return { name: campaign.name, replied: campaign.counts.replied, bounced: steps[0].bounced };
    },
  },
  {
    name: 'suppress somebody who asked',
    async does(desk, { leaver }) {
      await desk.ask('suppress', { address: leaver, reason: 'unsubscribe', note: 'asked on the phone' });
      const { person } = await desk.ask('person_digest', { address: leaver });
      return { suppressed: person.suppressed?.reason };
    },
  },
  {
    name: 'what changed since yesterday and what waits for me',
    async does(desk) {
      const { since } = await desk.ask('instance_digest', { since: 'yesterday' });
      const { items } = await desk.ask('work_search', { assignee: 'me', limit: 5 });
      return { since, mine: items.length };
    },
  },
  {
    name: 'put a private note on a thread',
    async does(desk, { person }) {
      const { routes } = await desk.ask('api_routes', { query: 'private note on a thread', limit: 1 });
      const { threads } = await desk.ask('person_digest', { address: person });
      const { thread_id } = threads.lines[0];
      const [{ method, path }] = routes;
      const { touch } = await desk.ask('api_request', {
        method,
        path: path.replace(':thread', thread_id),
        body: { note: true, text: 'They asked for the price list twice.' },
      });
      return { note: touch.note };
    },
  },
  {
    name: 'letters returned in review, with the note',
    async does(desk) {
      const { routes } = await desk.ask('api_routes', { query: 'letters returned in review', limit: 3 });
      const { method, path } = routes.find((each: { path: string }) => each.path.endsWith('/sends'));
      const said = await desk.ask('api_request', { method, path, query: { returned: true, limit: 5 } });
      return { note: said.all_have?.note ?? said.items[0].note };
    },
  },
  {
    name: 'give a project’s overdue cards to someone by name',
    async does(desk, { colleague }) {
      const { items } = await desk.ask('work_search', { project: 'Outreach', overdue: true });
      const given = [];
      for (const { id, revision } of items)
        given.push(await desk.ask('work_update', { item_id: id, revision, assignee: colleague }));
      return { overdue: items.length, to: given[0]?.item.assignee.name };
    },
  },
];

export type Done = {
  name: string;
  calls: number;
  tokens: number;
  chars: number;
  found: Record<string, unknown>;
};

/** Does them one after the other, on one app. */
export async function doJobs(open: () => Metered, told: Told): Promise<Done[]> {
  const done: Done[] = [];
  for (const { name, does } of JOBS) {
    const desk = open();
    const found = await does(desk, told);
    const tokens = desk.calls.reduce((sum, call) => sum + call.tokens, 0);
    const chars = desk.calls.reduce((sum, call) => sum + call.chars, 0);
    done.push({ name, calls: desk.calls.length, tokens, chars, found });
  }
  return done;
}

/** Of an even number, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (place: number): number => sorted[place] ?? 0;
  return (at(Math.floor((sorted.length - 1) / 2)) + at(Math.floor(sorted.length / 2))) / 2;
}

export const jobsTable = (done: readonly Done[]): string =>
  [
    '| job | calls | characters | tokens |',
    '|---|---|---|---|',
    ...done.map(({ name, calls, tokens, chars }) => `| ${name} | ${calls} | ${numbers(chars, tokens)} |`),
    `| median | ${median(done.map(({ calls }) => calls))} | ${numbers(
      median(done.map(({ chars }) => chars)),
      median(done.map(({ tokens }) => tokens)),
    )} |`,
  ].join('\n');

const numbers = (...all: number[]): string => all.map((each) => each.toLocaleString('en')).join(' | ');

/** Forty people on a list, as it comes from a fair. */
export const FAIR = [
  'Name,Email,Company,Title',
  ...Array.from({ length: 40 }, (_, k) => `Guest ${k},guest${k}@fair.example,Guests ${k % 7} Ltd,Buyer`),
].join('\n');
