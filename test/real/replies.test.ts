// Forty-five answers of many shapes, handed to the desk's Postfix as other people's servers do it: each lands at the person and
// in the conversation that it belongs to, without what it quotes.
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CORPUS } from '../mail/inbound/corpus/all.ts';
import { type Case, letter, OUR_ID } from '../mail/inbound/corpus/case.ts';
import { campaignOf, enrol, lettersOf, type Sent } from './campaign.ts';
import { comes, openWorld, THEIRS, type World } from './world.ts';

const OF_THE_CORPUS = 37;
const answers = CORPUS.filter(({ raw }) =>
  Buffer.from(raw).toString('latin1').includes(`In-Reply-To: <${OUR_ID}>`),
);
const chosen = Array.from(
  { length: OF_THE_CORPUS },
  (_, n) => answers[Math.floor((n * answers.length) / OF_THE_CORPUS)]!,
);

const YES = 'Yes, on Monday.';
type Clues = { from?: string; to?: string; subject?: string; clue: (sent: Sent) => string };
/** What a letter is known by where its answer does not name it as answers do. */
const CLUES: Record<string, Clues> = {
  'references alone': { clue: ({ message_id }) => `References: <other@acme.example>\n ${message_id}\n` },
  'an In-Reply-To with words around it': {
    clue: ({ message_id }) => `In-Reply-To: Your message of Monday ${message_id}\n`,
  },
  'the oldest of many references': {
    clue: ({ message_id }) =>
      `References: ${message_id}\n${Array.from({ length: 40 }, (_, n) => ` <${n}@acme.example>\n`).join('')}`,
  },
  'the address that it bounces to': { to: 'bounce', clue: () => '' },
  'its subject and who had it': { subject: 'AW: Re: Your bridge', clue: () => '' },
  'its subject, encoded': {
    subject: 'Re: [2]: Your bridge'.replace('[2]: ', ''),
    clue: () => 'X-Mailer: Ünknown\n',
  },
  'a colleague who was shown it': { from: 'c', clue: ({ message_id }) => `In-Reply-To: ${message_id}\n` },
  'an alias of the desk': {
    to: 'info@desk.example',
    clue: ({ message_id }) => `In-Reply-To: ${message_id}\n`,
  },
};
const NAMES = [...chosen.map(({ name }) => name), ...Object.keys(CLUES)];

let world: World;
let people: string[];
let sent: Sent[];

beforeAll(async () => {
  world = await openWorld();
  const { app, ports } = world;
  const { id } = await world.identity('ann');
  const campaign = await campaignOf(app, [id]);
  people = await enrol(
    app,
    campaign,
    NAMES.map((_, n) => `p${n}@${THEIRS}`),
  );
  await comes(async () => expect(await world.mailsOf('everybody')).toHaveLength(NAMES.length));
  const envelopes = new Map(
    (await world.mailsOf('everybody')).map((mail) => {
      const text = mail.toString('latin1');
      return [/^Message-ID:\s*(<\S+>)/im.exec(text)?.[1], /^Return-Path: <(\S+)>/im.exec(text)?.[1] ?? ''];
    }),
  );
  const rows = await comes(async () => {
    const all = await lettersOf(app, campaign);
    expect(all.filter(({ state }) => state === 'sent')).toHaveLength(NAMES.length);
    return all;
  });
  sent = NAMES.map((_, n) => rows.find(({ to_address }) => to_address === `p${n}@${THEIRS}`)!);
  const post = createTransport({ host: '127.0.0.1', port: ports.ours, ignoreTLS: true, pool: true });
  for (const [n] of NAMES.entries()) {
    const bounce = envelopes.get(sent[n]!.message_id)!;
    const { raw, from, to } = chosen[n] ? fromCorpus(chosen[n], n) : fromClues(n, bounce);
    await post.sendMail({ envelope: { from, to }, raw });
  }
  post.close();
  await comes(async () => {
    const [row] = await app.sql`select count(*)::int as count from inbound_mails where state <> 'new'`;
    expect(row!.count).toBe(NAMES.length);
  });
});
afterAll(() => world?.close());

const named = (raw: Uint8Array, n: number): Buffer =>
  Buffer.from(
    Buffer.from(raw)
      .toString('latin1')
      .replaceAll(`<${OUR_ID}>`, sent[n]!.message_id)
      .replaceAll('ada@example.org', `p${n}@${THEIRS}`)
      .replaceAll('nora@dunnock.example', 'ann@desk.example')
      .replaceAll('answer-1@example.org', `answer-${n}@${THEIRS}`),
    'latin1',
  );

function fromCorpus({ raw }: Case, n: number) {
  const bytes = named(raw, n);
  const isNobody = /^Return-Path: <>/im.test(bytes.toString('latin1'));
  return { raw: bytes, from: isNobody ? '' : `p${n}@${THEIRS}`, to: 'ann@desk.example' };
}

function fromClues(n: number, bounce: string) {
  const { from, to = 'ann@desk.example', subject = 'Something', clue } = CLUES[NAMES[n]!]!;
  const address = from === undefined ? `p${n}@${THEIRS}` : `colleague@${THEIRS}`;
  const fields = clue(sent[n]!);
  const raw = letter({ from: `Someone <${address}>`, subject, fields, answers: false, text: YES });
  return { raw: named(raw, n), from: address, to: to === 'bounce' ? bounce : to };
}

const landed = async (n: number) => {
  const [row] = await world.app.sql`
    select m.state, m.note, t.text_stripped, t.reading, t.person_id, t.attributed_by, th.id as thread_id,
      th.person_id as of, (select o.send_id from touches o where o.thread_id = th.id and o.direction = 'out') as send_id
    from inbound_mails m left join touches t on t.id = m.touch_id left join threads th on th.id = t.thread_id
    where m.message_id = ${`answer-${n}@${THEIRS}`}`;
  return row;
};

describe('an answer', () => {
  test.each(NAMES.map((name, n) => ({ name, n })))('$name', async ({ n }) => {
    const row = (await landed(n))!;
    expect(row).toMatchObject({ state: 'landed', of: people[n], send_id: sent[n]!.id });
    const expected = chosen[n]?.expected;
    expect(row['text_stripped']).toBe(expected ? (expected.stripped ?? row['text_stripped']) : YES);
    if (expected) expect(row['reading']).toBe(expected.reading);
  });

  test('makes one conversation with its letter, and no more', async () => {
    const threads = await world.app
      .sql`select person_id, count(*)::int as count from threads group by person_id`;
    expect(threads.map(({ count }) => count)).toEqual(people.map(() => 1));
  });
});
