// What one visit to a Sent folder does with letters of which one is not taken, and with a folder that answers slowly.
import { expect, test } from 'vitest';
import { ImapBroken } from '../../../mail/imap/trouble.ts';
import type { Wanted } from './copies.rules.ts';
import { lookAndFile, type Visit } from './file.ts';

const NOW = new Date('2026-03-04T10:00:00Z');
const wanted = (send_id: string, more: Partial<Wanted> = {}): Wanted => ({
  send_id,
  state: 'sent',
  sent_at: NOW,
  resent_at: null,
  message_ids: [`<${send_id}@desk.example>`],
  looks: 0,
  ...more,
});

const visited = async (
  letters: readonly Wanted[],
  append: (bytes: string) => void,
  { slow = 0, there = false } = {},
) => {
  let passed = 0;
  const holds = async (): Promise<boolean> => {
    passed += slow;
    return there;
  };
  const visit: Visit = { outcomes: [], trouble: null };
  const session = {
    holds,
    append: async (_: string, bytes: Buffer) => append(bytes.toString()),
  };
  const bytes = async (id: string) => Buffer.from(id);
  const done = await lookAndFile(session, 'Sent', letters, bytes, NOW, visit, () => passed).catch(
    (error: unknown) => error,
  );
  const outcomes = visit.outcomes.map(({ wanted: { send_id }, outcome }) => [send_id, outcome.to]);
  return { done, outcomes: Object.fromEntries(outcomes), due: visit.outcomes[0]?.outcome };
};
const refuses = (one: string, trouble: 'not_saved' | 'dropped') => (bytes: string) => {
  if (bytes === one) throw new ImapBroken(trouble);
};

test('a letter that the folder does not take waits automatically, and the others are filed', async () => {
  const { done, outcomes, due } = await visited(
    [wanted('a'), wanted('b'), wanted('c')],
    refuses('a', 'not_saved'),
  );
  expect(outcomes).toEqual({ a: 'due', b: 'filed', c: 'filed' });
  expect(done).toMatchObject({ trouble: null });
  expect(due).toEqual({ to: 'due', at: new Date('2026-03-04T10:10:00Z') });
});

test('where it takes none, the identity says so; and after the sixth time the letter is left', async () => {
  const { done, outcomes } = await visited([wanted('a', { looks: 6 })], refuses('a', 'not_saved'));
  expect(outcomes).toEqual({ a: 'left' });
  expect(done).toMatchObject({ trouble: expect.stringContaining('saves no mail in that folder') });
});

test('a letter over which the connection breaks off is not the first of the next visit', async () => {
  const { done, outcomes } = await visited([wanted('a'), wanted('b')], refuses('a', 'dropped'));
  expect(outcomes).toEqual({ a: 'due' });
  expect(done).toBeInstanceOf(ImapBroken);
});

test('a folder that is slow to look into still gets what is known to be missing', async () => {
  const letters = Array.from({ length: 9 }, (_, at) => wanted(`l${at}`));
  const { outcomes } = await visited(letters, () => undefined, { slow: 8_000 });
  expect(outcomes).toEqual({ l0: 'filed', l1: 'filed' });
});

test('the copy of a letter that is being sent again is not done with before that attempt is over', async () => {
  const again = { state: 'sending', resent_at: NOW };
  const { outcomes } = await visited([wanted('a', again), wanted('b')], () => undefined, { there: true });
  expect(outcomes).toEqual({ a: 'due', b: 'found' });
});
