// Letters of which no one knows whether they went, because the way to a real Postfix broke off after their end: a copy that the
// provider files in Sent settles them, so does an answer, so does a bounce, and what nothing is heard of stays uncertain.
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { faultProxy, type FaultProxy } from '../support/fault-proxy.ts';
import { campaignOf, enrol, lettersOf } from './campaign.ts';
import { comes, openWorld, THEIRS, type World } from './world.ts';

const DOT = '\r\n.\r\n';
let world: World;
let proxy: FaultProxy;
beforeAll(async () => {
  // What the proxy reads is not encrypted, and no one signs in over that.
  const open = {
    smtpd_tls_security_level: 'none',
    smtpd_sasl_auth_enable: 'no',
    mynetworks: '127.0.0.0/8',
    smtpd_relay_restrictions: 'permit_mynetworks, reject',
  };
  world = await openWorld(
    {},
    {
      submissions: { open },
      // As providers do that file what they send: a copy of each letter of Ann's goes into her Sent.
      tables: { copies: 'ann@desk.example ann+Sent@desk.example\n' },
      main: 'sender_bcc_maps = texthash:$config_directory/copies',
    },
  );
  proxy = await faultProxy(world.listeners['open']!);
});
afterAll(async () => {
  await world?.close();
  await proxy?.[Symbol.asyncDispose]();
});

/** Letters that arrive, and whose arrival the product never hears of. */
async function uncertain(local: string, columns: object, to: string[]): Promise<string> {
  const transport = { port: proxy.port, security: 'plain', user: null, secret: undefined };
  const { id } = await world.identity(local, { transport, columns });
  const campaign = await campaignOf(world.app, [id]);
  await proxy.set({ kind: 'unanswered', text: DOT });
  await enrol(world.app, campaign, to);
  await states(
    campaign,
    to.map(() => 'uncertain'),
  );
  await proxy.set({ kind: 'none' });
  return campaign;
}

const states = (campaign: string, wanted: string[]) =>
  comes(async () => {
    const rows = await lettersOf(world.app, campaign);
    const of = new Map(rows.map(({ to_address, state }) => [to_address, state]));
    expect([...of].toSorted().map(([, state]) => state)).toEqual(wanted);
    return rows;
  });

test('a copy that the provider filed in Sent settles every one of them, and none is filed twice', async () => {
  const people = Array.from({ length: 6 }, (_, n) => `p${n}@${THEIRS}`);
  const campaign = await uncertain('ann', { envelope_sender: 'own' }, people);
  await comes(async () => expect(await world.mailsOf('ann', 'Sent')).toHaveLength(people.length));
  world.app.clock.advance(6 * MINUTE_MS);
  const rows = await states(
    campaign,
    people.map(() => 'sent'),
  );
  const copies = (await world.mailsOf('ann', 'Sent')).map((mail) => mail.toString('latin1'));
  for (const { message_id } of rows)
    expect(copies.filter((copy) => copy.includes(message_id))).toHaveLength(1);
  expect(await world.mailsOf('everybody')).toHaveLength(people.length);
});

test('an answer and a bounce settle theirs; what nothing is heard of is listed, and not sent again', async () => {
  const { app, ports } = world;
  const [answers, silent, bounces] = [`p10@${THEIRS}`, `p11@${THEIRS}`, `zz@${THEIRS}`];
  const campaign = await uncertain('bob', { sent_copies: 'none' }, [answers, silent, bounces].slice(0, 2));
  const other = await campaignOf(app, [(await lettersOf(app, campaign))[0]!['identity_id']]);
  await proxy.set({ kind: 'unanswered', text: DOT });
  await enrol(app, other, [bounces]);
  // Its report may be there before anyone asks.
  await comes(async () => {
    const [row] = await lettersOf(app, other);
    expect([row!.state, row!['delivery']]).toEqual(['sent', 'hard']);
  });
  await proxy.set({ kind: 'none' });

  const before = (await world.mailsOf('everybody')).length;
  const { message_id } = (await lettersOf(app, campaign)).find(({ to_address }) => to_address === answers)!;
  const post = createTransport({ host: '127.0.0.1', port: ports.ours, ignoreTLS: true });
  await post.sendMail({
    from: answers,
    to: 'bob@desk.example',
    subject: 'Re: Your bridge',
    inReplyTo: message_id,
    text: 'Yes.',
  });
  await states(campaign, ['sent', 'uncertain']);
  app.clock.advance(3 * 24 * 60 * MINUTE_MS);
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  await states(campaign, ['sent', 'uncertain']);
  expect(await world.mailsOf('everybody')).toHaveLength(before);
  const left = (await lettersOf(app, campaign)).find(({ to_address }) => to_address === silent)!;
  const listed = (await app.admin.rest('GET', '/api/admin/outreach/sends?state=uncertain')).body.items;
  expect(listed.map(({ id }: { id: string }) => id)).toEqual([left.id]);
});

test('where the provider files none, the product files one copy of each letter that went', async () => {
  const { app } = world;
  const { id } = await world.identity('cleo');
  const campaign = await campaignOf(app, [id]);
  await enrol(app, campaign, [`p20@${THEIRS}`, `p21@${THEIRS}`]);
  await states(campaign, ['sent', 'sent']);
  app.clock.advance(2 * MINUTE_MS);
  await comes(async () => expect(await world.mailsOf('cleo', 'Sent')).toHaveLength(2));
});
