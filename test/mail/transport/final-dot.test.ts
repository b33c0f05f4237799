// A letter is never sent twice: its end is not on the wire before the caller has committed, and behind it nothing but a
// whole reply is believed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drop, hang, scriptedSmtp, type ScriptedSmtp } from '../../support/smtp.ts';
import { BYTES, HOST, optionsFor, sendOver, until } from './sending.ts';

const END = '\r\n.\r\n';
/** What came behind the word that the letter may come. */
const bodyAt = (there: ScriptedSmtp): string => there.received().split('DATA\r\n')[1] ?? '';

const isGone = (there: ScriptedSmtp): boolean => there.connections[0]?.destroyed === true;

const gate = () => {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let asked = 0;
  promise.catch(() => undefined);
  const beforeFinalDot = (): Promise<void> => {
    asked += 1;
    return promise;
  };
  return { beforeFinalDot, open: resolve, refuse: reject, asked: () => asked };
};

describe.each([
  ['with pipelining', '250-there\r\n250 PIPELINING'],
  ['step by step', '250 there'],
])('%s', (_, EHLO) => {
  test('the whole letter is there but for its end, until the hook resolves', async () => {
    await using there = await scriptedSmtp({ EHLO });
    const { beforeFinalDot, open, asked } = gate();
    const sending = sendOver(optionsFor(there.port), { beforeFinalDot });
    await until(() => bodyAt(there).includes('..two\r\nbye'));
    await until(() => asked() === 1);
    expect(bodyAt(there), 'the tail is held back too').toMatch(/bye$/);
    expect(bodyAt(there)).not.toContain(END);
    open();
    expect(await sending).toEqual({ outcome: 'accepted', server_message_id: null, reference: null });
    expect(bodyAt(there)).toContain(`\r\nbye${END}`);
    expect(bodyAt(there).split(END)).toHaveLength(2);
  });

  test('a hook that rejects ends the connection without the end of the letter', async () => {
    await using there = await scriptedSmtp({ EHLO });
    const { beforeFinalDot, refuse } = gate();
    refuse(new Error('the database is gone'));
    expect(await sendOver(optionsFor(there.port), { beforeFinalDot })).toEqual({
      outcome: 'not_sent',
      why: 'hook',
    });
    await until(() => there.connections[0]?.destroyed === true);
    expect(bodyAt(there)).not.toContain('.\r\n\r\n.');
    expect(there.received()).not.toMatch(/\r\n\.\r\n|bye\r\n/);
  });

  test('a hook that throws at once is one that rejects', async () => {
    await using there = await scriptedSmtp({ EHLO });
    const beforeFinalDot = (): Promise<void> => {
      throw new Error('at once');
    };
    expect(await sendOver(optionsFor(there.port), { beforeFinalDot })).toEqual({
      outcome: 'not_sent',
      why: 'hook',
    });
    expect(there.received()).not.toContain(END);
  });
});

test('no letter can end itself: dots that begin a line are doubled, bare breaks become whole ones', async () => {
  await using there = await scriptedSmtp({});
  const piece = fc.constantFrom('.', '\r', '\n', '\r\n', '\r\n.', '\r\n.\r\n', 'a', '..');
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 30 }), async (pieces) => {
      const before = there.received().length;
      const { beforeFinalDot, asked } = gate();
      const cut = new AbortController();
      const sending = sendOver(optionsFor(there.port), {
        beforeFinalDot,
        bytes: Buffer.from(pieces.join('')),
        signal: cut.signal,
      });
      await until(() => asked() === 1);
      cut.abort();
      // The hook is open: the outcome waits for the caller.
      const settled = await Promise.race([
        sending,
        new Promise((resolve) => setImmediate(resolve, 'waiting')),
      ]);
      const seen = there.received().slice(before);
      return settled === 'waiting' && !/\n\.\r?\n/.test(seen.slice(seen.indexOf('DATA\r\n') + 6));
    }),
    { numRuns: 40 },
  );
});

test('a large letter arrives byte for byte, and the hook is asked once', async () => {
  await using there = await scriptedSmtp({});
  const bytes = Buffer.from('0123456789abcdef'.repeat(64).concat('\r\n').repeat(3_000));
  const { beforeFinalDot, open, asked } = gate();
  open();
  expect(await sendOver(optionsFor(there.port), { bytes, beforeFinalDot })).toMatchObject({
    outcome: 'accepted',
  });
  expect(asked()).toBe(1);
  expect(bodyAt(there).split(END)[0]).toBe(bytes.toString('latin1').slice(0, -2));
});

describe('before the end, whatever happens is certain', () => {
  test('the host goes while the caller commits: the end is never written, and the outcome waits for the caller', async () => {
    await using there = await scriptedSmtp({});
    const { beforeFinalDot, open, asked } = gate();
    let outcome: unknown = null;
    const sending = sendOver(optionsFor(there.port), { beforeFinalDot }).then((each) => (outcome = each));
    await until(() => asked() === 1);
    there.connections[0]?.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(outcome).toBeNull();
    open();
    expect(await sending).toEqual({ outcome: 'unreachable', why: 'dropped', midway: true });
    expect(there.received()).not.toContain(END);
  });

  test.each([
    ['is heard while the caller commits', async (there: ScriptedSmtp) => until(() => isGone(there))],
    ['lies unread when the caller has committed', async () => {}],
  ])('a host that says yes before the end is not believed: its word %s', async (_, heard) => {
    const { beforeFinalDot, open } = gate();
    const said = Promise.withResolvers<void>();
    const body = (socket: Socket) => socket.write('250 2.0.0 queued already\r\n', () => said.resolve());
    await using there = await scriptedSmtp({ body });
    const sending = sendOver(optionsFor(there.port), { beforeFinalDot });
    await said.promise;
    await heard(there);
    open();
    expect(await sending).toEqual({ outcome: 'unreachable', why: 'protocol', midway: true });
    await until(() => isGone(there));
    expect(there.received()).not.toContain(END);
  });

  test('a host that has seen enough in the middle of the letter is heard', async () => {
    await using there = await scriptedSmtp({ body: '554 5.7.1 no more of this' });
    const bytes = Buffer.from('0123456789abcdef\r\n'.repeat(400_000));
    const outcome = await sendOver(optionsFor(there.port), { bytes });
    expect(outcome).toMatchObject({ outcome: 'refused', stage: 'data', kind: 'policy', code: 554 });
    expect(there.received()).not.toContain(END);
  });

  test('one of two recipients is refused: no one gets the letter, and the hook is not asked', async () => {
    await using there = await scriptedSmtp({ RCPT: ['250 ok', '550 5.1.1 no such user'] });
    const { beforeFinalDot, asked } = gate();
    const envelope = { from: 'bounce+1@sender.example', to: ['bo@example.org', 'cy@example.org'] };
    const outcome = await sendOver(optionsFor(there.port), { beforeFinalDot, envelope });
    expect(outcome).toMatchObject({ outcome: 'refused', kind: 'hard', recipient: 'cy@example.org' });
    expect(asked()).toBe(0);
    expect(there.received()).not.toContain(END);
  });

  test('what is cut off before the end was not sent', async () => {
    await using there = await scriptedSmtp({ DATA: hang });
    const cut = new AbortController();
    const sending = sendOver(optionsFor(there.port), { signal: cut.signal });
    await until(() => there.commands.includes('DATA'));
    cut.abort();
    expect(await sending).toEqual({ outcome: 'not_sent', why: 'cut' });
  });
});

describe('behind the end, only a whole reply is believed', () => {
  const fragment = (text: string) => (socket: { end(text: string): void }) => socket.end(text);
  test.each([
    ['the host goes', drop],
    ['a piece of a yes', fragment('25')],
    ['a yes without its end', fragment('250 2.0.0 ok')],
    ['the beginning of a yes of several lines', fragment('250-2.0.0 ok\r\n')],
    ['a no without its end', fragment('451 4.3.0 try ag')],
    ['words that are no reply', fragment('thanks\r\n')],
    ['a reply of a class that answers something else', fragment('354 more\r\n')],
  ])('%s: uncertain', async (_, end) => {
    await using there = await scriptedSmtp({ end: end as never });
    expect(await sendOver(optionsFor(there.port))).toEqual({ outcome: 'uncertain' });
    expect(bodyAt(there)).toContain(END);
  });

  test('a host that never answers is left after the deadline: uncertain', async () => {
    await using there = await scriptedSmtp({ end: hang });
    expect(await sendOver(optionsFor(there.port, { deadlines: { finalMs: 50 } }))).toEqual({
      outcome: 'uncertain',
    });
  });

  test('what is cut off there is uncertain', async () => {
    await using there = await scriptedSmtp({ end: hang });
    const cut = new AbortController();
    const sending = sendOver(optionsFor(there.port), { signal: cut.signal });
    await until(() => bodyAt(there).includes(END));
    cut.abort();
    expect(await sending).toEqual({ outcome: 'uncertain' });
  });

  test('a no of several lines is a no', async () => {
    await using there = await scriptedSmtp({ end: '554-5.7.1 spam\r\n554 5.7.1 go away' });
    expect(await sendOver(optionsFor(there.port))).toEqual({
      outcome: 'refused',
      stage: 'final',
      kind: 'policy',
      cause: 'spam',
      recipient: null,
      about: 'content',
      said: '554 5.7.1 spam go away',
      code: 554,
      enhanced: '5.7.1',
    });
  });
});

describe('a process that is killed', () => {
  /** Says when it is in the hook, and goes on for as long as it is told. */
  const child = (port: number, resolves: boolean) => {
    const root = join(import.meta.dirname, '../../..');
    const script = `
      import { openSmtp } from ${JSON.stringify(join(root, 'src/mail/transport/smtp.ts'))};
      import { readAllowedHosts } from ${JSON.stringify(join(root, 'src/net/switches.ts'))};
      const transport = openSmtp({ host: '${HOST}', port: ${port}, peer: 'submission', allowedHosts: readAllowedHosts('${HOST}'),
        lookup: async () => ['127.0.0.1'], access: { security: 'plain', login: null }, ehlo_name: 'desk.sender.example' });
      const beforeFinalDot = () => { console.log('hook'); return ${resolves ? 'Promise.resolve()' : 'new Promise(() => setInterval(() => {}, 1000))'}; };
      await transport.send({ envelope: { from: 'a@x.example', to: ['bo@example.org'] },
        bytes: Buffer.from(${JSON.stringify(BYTES.toString())}), idempotency_key: '1', beforeFinalDot });
    `;
    return spawn(process.execPath, ['--input-type=module', '-e', script], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  };

  test('in the hook has sent no end; behind it, it has', async () => {
    await using there = await scriptedSmtp({ end: hang });
    const before = child(there.port, false);
    await once(before.stdout, 'data');
    await until(() => bodyAt(there).endsWith('bye'));
    before.kill('SIGKILL');
    await once(before, 'exit');
    await until(() => there.connections[0]?.destroyed === true);
    expect(there.received()).not.toContain(END);

    const behind = child(there.port, true);
    await until(() => there.received().includes(END));
    behind.kill('SIGKILL');
    await once(behind, 'exit');
  });
});
