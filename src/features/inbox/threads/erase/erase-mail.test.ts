// Mail is looked into for an erasure in pieces that one statement can take.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../../test/support/app.ts';
import { inPieces } from './erase-mail.store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('no piece is larger than a statement takes, a mail alone aside, and none is left out', async () => {
  const sizes = [10, 10, 10, 90, 10, 10];
  await app.sql`
    insert into inbound_mails (id, key, source, bytes, size_bytes, received_at, state, settled_at)
    select ('00000000-0000-7000-8000-00000000000' || n)::uuid, 'piece-' || n, 'imap', ''::bytea, size, now(), 'ignored', now()
    from unnest(${sizes}::int[]) with ordinality as s (size, n)`;
  const pieces: string[] = [];
  await app.instance.app.database.transact(async (tx) => {
    for await (const ids of inPieces(tx, tx`m.key like 'piece-%'`, { bytes: 25, mails: 4 }))
      pieces.push(ids.map((id) => id.at(-1)).join(''));
  });
  expect(pieces).toEqual(['12', '3', '4', '56']);
});
