// Words in forms that no one stated: what they are about, and what is said of it.
import { describe, expect, test } from 'vitest';
import { gistOf } from '../../../src/mail/reports/gist.ts';
import { block, dsn, notice, only } from './letters.ts';

test.each([
  ['no_such_address', 'User some.name (@) not listed in the company book'],
  ['no_such_address', 'We could not find the mailbox'],
  ['no_such_address', '<@>... the person is unknown'],
  ['no_such_address', "That alias doesn't exist."],
  ['no_such_host', 'lookup failed: host mx.gone.example not found'],
  ['no_such_host', 'No such domain.'],
  ['mailbox_inactive', 'The mailbox has been frozen'],
  ['mailbox_full', 'recipient is over the limit'],
  ['too_big', 'Mail size limit exceeded'],
  ['rate', "You've reached your daily relay quota"],
  ['sender_refused', 'the client is banned here'],
  [null, 'Your account is unknown'],
  [null, 'The user is happy. The weather is unknown.'],
  [null, 'There was an error. We did not like it.'],
  [null, ''],
] as const)('%s: %s', (cause, words) => expect(gistOf(words)).toBe(cause));

test('holds no one up over words of its own, again and again', () => {
  for (const word of ['not ', 'user ', 'user unknown ', 'not user ', '!', '...', 'a.', "'"]) {
    const { user } = process.cpuUsage();
    gistOf(word.repeat(16_384 / word.length));
    expect((process.cpuUsage().user - user) / 1000, word).toBeLessThan(200);
  }
});

describe('a code of the letter or the system outweighs a bare rejection of the address', () => {
  const rejected = '<ada@example.org>: Recipient address rejected: odd thing (in reply to RCPT TO command)';
  test.each([
    ['5.6.0', 'policy'],
    ['5.3.4', 'policy'],
    ['5.3.0', 'soft'],
    ['5.1.0', 'hard'],
  ])('%s: %s', async (status, kind) =>
    expect(await only(dsn(block('failed', status, `554 ${status} ${rejected}`)))).toMatchObject({ kind }),
  );
});

describe('a page', () => {
  test('explains why a sender is turned away, in whatever language and without a code', async () => {
    const text = notice(
      '\u30b0\u30eb\u30fc\u30d7\u306b\u6295\u7a3f\u3067\u304d\u307e\u305b\u3093\u3067\u3057\u305f\n\nada@example.org\n\nhttps://help.example/why\n',
    );
    expect(await only(text)).toMatchObject({ kind: 'policy' });
    expect(await only(text.replace('https://help.example/why', ''))).toMatchObject({ kind: 'soft' });
  });

  test('that is all that was said condemns no address', async () => {
    const said = '553 http://list.example/query?ip=192.0.2.2';
    expect(await only(dsn(block('failed', '5.1.3', said)))).toMatchObject({ kind: 'policy' });
    expect(
      await only(dsn(block('failed', '5.1.3', '553 no such mailbox, http://list.example/'))),
    ).toMatchObject({
      kind: 'hard',
    });
  });
});
