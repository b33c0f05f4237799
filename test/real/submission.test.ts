// What the desk's own mail server says of the desk: a real Postfix that limits, owns its senders, does not relay or shows a
// certificate that cannot be trusted. It holds the identity with what is wrong, and costs no recipient their address.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { certificateFor } from '../support/certificate.ts';
import { MAIL_HOST } from '../support/senders.ts';
import { campaignOf, enrol, lettersOf } from './campaign.ts';
import { comes, openWorld, THEIRS, type World } from './world.ts';

const LIMIT =
  'Domain desk.example has exceeded the max emails per hour (101/100 (101%)) allowed.  Message discarded.';
const [expired, other, ca] = [
  certificateFor([MAIL_HOST], { expired: true }),
  certificateFor(['other.example']),
  certificateFor([MAIL_HOST]),
];
const stranger = certificateFor([MAIL_HOST]);
const shows = (name: string) => ({
  smtpd_tls_chain_files: `$config_directory/${name}.pem`,
  smtpd_tls_cert_file: '',
  smtpd_tls_key_file: '',
});

let world: World;
beforeAll(async () => {
  world = await openWorld(
    { mailCa: [expired, other, ca].map(({ cert }) => cert) },
    {
      submissions: {
        limit: { smtpd_recipient_restrictions: `check_recipient_access static:{550 ${LIMIT}}` },
        owned: {
          smtpd_sender_login_maps: 'texthash:$config_directory/owners',
          smtpd_sender_restrictions: 'reject_sender_login_mismatch',
        },
        relay: { smtpd_relay_restrictions: 'reject_unauth_destination' },
        expired: shows('expired'),
        other: shows('other'),
        stranger: shows('stranger'),
        ca: shows('ca'),
        bare: { smtpd_tls_security_level: 'none', smtpd_sasl_auth_enable: 'no' },
      },
      tables: {
        owners: 'ann@desk.example ann\nbob@desk.example bob\n',
        ...Object.fromEntries(
          Object.entries({ expired, other, stranger, ca }).map(([name, { key, cert }]) => [
            `${name}.pem`,
            key + cert,
          ]),
        ),
      },
    },
  );
});
afterAll(() => world?.close());

const PEOPLE = 6;
let used = 0;
/** A campaign through this port, with people of its own. */
async function campaignAt(port_name: string, local: string, people = PEOPLE) {
  const { app, listeners } = world;
  const identity = await world.identity(local, { user: 'ann', transport: { port: listeners[port_name] } });
  const campaign = await campaignOf(app, [identity.id]);
  await enrol(
    app,
    campaign,
    Array.from({ length: people }, () => `p${used++}@${THEIRS}`),
  );
  return { identity, campaign };
}

const held = async (campaign: string, trouble: string, people = PEOPLE) =>
  comes(async () => {
    const rows = await lettersOf(world.app, campaign);
    expect(
      rows.map(({ state, hold_reason, hold_evidence }) => [state, hold_reason, hold_evidence?.trouble]),
    ).toEqual(Array.from({ length: people }, () => ['held', 'transport_refused', trouble]));
    return rows;
  });

const nobodySuppressed = async () => expect(await world.app.sql`select from suppressions`).toHaveLength(0);

const outcomes = ({ rungs }: { rungs: { outcome: string }[] }): string[] =>
  rungs.map(({ outcome }) => outcome);

describe('the desk’s own server', () => {
  test('that is over its limit suppresses no one, and fails no letter', async () => {
    const { identity, campaign } = await campaignAt('limit', 'cleo');
    await held(campaign, 'quota');
    await nobodySuppressed();
    const { trouble } = await world.senders.readIdentity(identity.id);
    expect(trouble).toMatchObject({
      kind: 'quota',
      code: 550,
      words: expect.stringContaining('exceeded the max emails'),
    });
  });

  test('that lets no one write as someone else holds the identity until it sends as itself', async () => {
    const { app, senders } = world;
    const { identity, campaign } = await campaignAt('owned', 'ann');
    await held(campaign, 'sender_refused');
    expect(await world.ours.log()).toMatch(
      /553 5\.7\.1 <bounce\+[^>]+>: Sender address rejected: not owned by user ann/,
    );
    await nobodySuppressed();
    const tried = await app.admin.rest('POST', `/api/admin/outreach/identities/${identity.id}/test`, {});
    expect(tried.body).toMatchObject({ identity: { trouble: { kind: 'sender_refused' } } });
    expect(outcomes(tried.body)).toContain('fail');

    const saved = await senders.patch(identity.id, { envelope_sender: 'own' });
    expect(saved.status, JSON.stringify(saved.body)).toBe(200);
    const again = await app.admin.rest('POST', `/api/admin/outreach/identities/${identity.id}/test`, {});
    expect(again.body).toMatchObject({ identity: { trouble: null } });
    expect(outcomes(again.body)).not.toContain('fail');
    if (!again.body.identity.active) await senders.onIdentity(identity.id, 'activate');
    await comes(async () => {
      const rows = await lettersOf(app, campaign);
      expect(rows.map(({ state }) => state)).toEqual(Array.from({ length: PEOPLE }, () => 'sent'));
    });
    // Where nothing but the letter itself says whose bounce it is.
    const bad = await campaignOf(app, [identity.id]);
    await enrol(app, bad, [`nobody@${THEIRS}`]);
    await comes(async () => {
      const [letter] = await lettersOf(app, bad);
      const events = await app.sql`
        select kind, placed_by from send_outcomes where send_id = ${letter!.id} and source = 'report'`;
      expect(events).toEqual([{ kind: 'hard', placed_by: 'message_id' }]);
    });
    await app.sql`delete from suppressions`;
  });

  test('that passes nothing on holds the identity', async () => {
    const { campaign } = await campaignAt('relay', 'bob');
    await held(campaign, 'relay_refused');
    await nobodySuppressed();
  });

  test.each([
    ['expired', 'dave', 'certificate_expired'],
    ['other', 'eve', 'certificate_name'],
    ['stranger', 'dana', 'certificate_untrusted'],
    ['bare', 'full', 'tls_missing'],
  ])('whose encryption is %s holds the identity with that', async (port_name, local, kind) => {
    const { identity, campaign } = await campaignAt(port_name, local, 2);
    await held(campaign, kind, 2);
    const { trouble } = await world.senders.readIdentity(identity.id);
    expect(trouble).toMatchObject({ kind });
    if (kind === 'certificate_expired') expect(trouble?.expired_at).not.toBeNull();
  });

  test('with a certificate of an authority that the operator named is trusted', async () => {
    const { campaign } = await campaignAt('ca', 'everybody', 2);
    await comes(async () => {
      const rows = await lettersOf(world.app, campaign);
      expect(rows.map(({ state }) => state)).toEqual(['sent', 'sent']);
    });
  });
});
