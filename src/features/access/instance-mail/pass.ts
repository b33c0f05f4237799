// The pass that sends the instance's own mail: invitations, new passwords, a test. Acts never wait for it.
import { SECOND_MS } from '../../../kernel/clock.ts';
import type { App } from '../../../kernel/app.ts';
import { pass, type AnyPass } from '../../../kernel/pass.ts';
import { composeLetter } from '../../../mail/compose/letter.ts';
import { openSmtp } from '../../../mail/transport/smtp.ts';
import { ehloName } from '../../../mail/transport.rules.ts';
import {
  claimMails,
  giveBackMails,
  INSTANCE_MAIL_DUE,
  openedBody,
  settleMail,
  tidyMails,
} from './queue.store.ts';
import { ruleOutcome, type Ruled } from './outcome.ts';
import { outgoingMail, type OutgoingMail } from './way.store.ts';

type Row = Awaited<ReturnType<typeof claimMails>>[number];
type Result = { id: string; ruled: Ruled; at: Date };

/** With the time of those that start last it stays below the minute of a lease. */
const STARTS_WITHIN_MS = 10 * SECOND_MS;
const ONE_MAIL_MS = 40 * SECOND_MS;

export const instanceMailPass: AnyPass = pass<Row, Result>({
  name: 'instance_mail',
  wakes_on: [INSTANCE_MAIL_DUE],
  interrupted_by: [],
  tells: 'settings',
  every_ms: 30 * SECOND_MS,
  batch: 10,
  at_a_time: 2,
  starts_within_ms: STARTS_WITHIN_MS,
  claim: claimMails,
  open: (app) => ({
    async begin() {
      const way = await outgoingMail(app.database.reader, app.sealer);
      return async (row, cut) => {
        const ruled: Ruled = way
          ? await sendOne(app, way, row, cut)
          : { state: 'waiting', trouble: 'not_set_up' };
        return cut.aborted ? null : { id: row.id, ruled, at: app.clock.now() };
      };
    },
    close: () => undefined,
  }),
  async commit(tx, lease, results) {
    for (const { id, ruled, at } of results.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
      await settleMail(tx, lease, id, ruled, at);
  },
  release: giveBackMails,
  tidy: tidyMails,
});

async function sendOne(app: App, way: OutgoingMail, row: Row, cut: AbortSignal): Promise<Ruled> {
  const { clock, instance, outside, sealer } = app;
  const text = openedBody(sealer, row);
  const domain = way.from.address.slice(way.from.address.lastIndexOf('@') + 1);
  const composed =
    text === null
      ? null
      : await composeLetter({
          from: way.from,
          reply_to: null,
          to: [{ name: null, address: row.to }],
          cc: [],
          subject: row.subject,
          text,
          html: null,
          message_id: `<${row.id}@${domain}>`,
          date: clock.now(),
          in_reply_to: null,
          references: [],
          list_unsubscribe: null,
          feedback_id: null,
          attachments: [],
          dkim: null,
        });
  if (!composed?.ok) return { state: 'failed', trouble: 'unwritable' };
  const { host, port, access } = way;
  const transport = openSmtp({
    host,
    port,
    access,
    peer: 'submission',
    lookup: outside.lookup,
    ca: outside.mail_ca,
    ...outside.hosts,
    ehlo_name: ehloName(instance.base_url, domain),
  });
  try {
    const outcome = await transport.send({
      envelope: { from: way.from.address, to: composed.recipients },
      bytes: composed.bytes,
      idempotency_key: row.id,
      beforeFinalDot: async () => undefined,
      signal: AbortSignal.any([cut, AbortSignal.timeout(ONE_MAIL_MS)]),
    });
    return ruleOutcome(outcome);
  } finally {
    await transport.close();
  }
}
