// Turns a form post into a touch, with the person found by address or created, in one transaction. A typed address proves
// nothing, so a post can stop letters to it but do nothing a person can’t undo.
import type { Principal } from '../../../kernel/caller.ts';
import { nobody } from '../../../kernel/caller.ts';
import type { App } from '../../../kernel/app.ts';
import { newId } from '../../../kernel/ids.ts';
import type { ChangeNotification, Transaction } from '../../../kernel/database.ts';
import { readTyped } from '../../../mail/inbound/apart.ts';
import type { RuleReading } from '../../../mail/inbound/reading.ts';
import { landReply } from '../inbound/land/reply.ts';
import { UNSAID } from '../../crm/people/change.ts';
import { writeFacts } from '../../crm/people/history.store.ts';
import { holderOf, insertPerson, setAddresses } from '../../crm/people/save.store.ts';
import { threadFor } from '../threads/record/open.store.ts';
import type { Post } from './rules.ts';
import { countPost, type FormRow, holdAddress, prospectIn } from './store.ts';

const FORM: Principal = { kind: 'system', id: 'forms', name: 'a web form' };
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Someone else gave the address to a person this very moment: asked again, they are found. */
class Meanwhile extends Error {}

export async function landPost(app: App, form: FormRow, post: Post): Promise<void> {
  const read = await readTyped(post.message);
  try {
    await landOnce(app, form, post, read);
  } catch (error) {
    if (!(error instanceof Meanwhile)) throw error;
    await landOnce(app, form, post, read);
  }
}

async function landOnce(
  { database, clock }: App,
  form: FormRow,
  post: Post,
  read: RuleReading,
): Promise<void> {
  const changes = await database.transact(async (tx) => {
    const now = clock.now();
    const person_id = await personOf(tx, post, now);
    const prospect_id = form.campaign_id && (await prospectIn(tx, form.campaign_id, person_id));
    const belongs = { channel: 'form', subject: form.name, identity_id: form.identity_id } as const;
    const thread_id = await threadFor(
      tx,
      prospect_id === null ? { ...belongs, person_id } : { ...belongs, prospect_id },
      now,
    );
    const { from, name, text } = post;
    const landed = await landReply(
      tx,
      {
        thread_id,
        channel: 'form',
        at: now,
        from: { address: from.shown, name: name === '' ? null : name },
        subject: form.name,
        text,
        attributed_by: 'form',
        person_id,
        reading: { ...read, details: { ...read.details, form_id: form.id } },
        certainty: 'typed',
        writer: { normalised: from.normalised, person_id },
      },
      { emit: (event, data) => database.emit(tx, event, data, now), by: FORM, now },
    );
    await countPost(tx, form.id, now);
    await database.audit(tx, {
      at: now,
      caller: { ...nobody('rest'), principal: { ...FORM, id: NOBODY } },
      act: 'form_post',
      resource: `admin:setting/forms/${form.id}`,
      outcome: 'done',
      code: null,
      sentence: null,
      request_id: newId(),
    });
    return [...landed.changes, { topic: 'forms', id: form.id }] satisfies ChangeNotification[];
  });
  database.tell(changes);
}

async function personOf(tx: Transaction, { from, name }: Post, now: Date): Promise<string> {
  await holdAddress(tx, from.normalised);
  const known = await holderOf(tx, [from.normalised], NOBODY);
  if (known) return known.id;
  const author = { by: FORM, now };
  const address = {
    value: from.shown,
    normalised: from.normalised,
    domain: from.domain,
    kind: 'work' as const,
    is_primary: true,
    position: 0,
  };
  const fields = { ...UNSAID, name, source: 'form' };
  const id = await insertPerson(tx, fields, null, [address], author);
  if (!(await setAddresses(tx, id, [], [address]))) throw new Meanwhile();
  await writeFacts(tx, id, [{ kind: 'created', details: { source: 'form' } }], author);
  return id;
}
