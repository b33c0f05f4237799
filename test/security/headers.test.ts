// What could end a line of a letter's header, in what a letter takes words from: nothing of it reaches a mail server.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { layDesk, openDesk, type DeskWishes } from '../letters/desk.ts';
import type { TestHouse } from '../support/house.ts';
import { smtpSink, type SmtpSink } from '../support/smtp.ts';

let house: TestHouse;
let sink: SmtpSink;
beforeAll(async () => {
  house = await openDesk();
});
afterAll(() => house?.close());
beforeEach(async () => {
  sink = await smtpSink();
});
afterEach(() => sink[Symbol.asyncDispose]());

const BREAKS = ['\r\n', '\n', '\r', '\u0085', '\u2028', '\u2029', '\v', '\f', '\u007f', '\u001b'];
const evil = (sign: string): string => `Ada${sign}Bcc: eve@evil.example`;
/** Fields of a letter that become its header. */
const FIELDS: Record<string, (text: string) => DeskWishes> = {
  'the subject': (subject) => ({ letter: { subject }, identity: { port: sink.port } }),
  'the name of the sender': (name) => ({ identity: { name, port: sink.port } }),
};

describe.each(Object.entries(FIELDS))('%s', (_, put) => {
  test('reaches a mail server where it is one line, in whatever script', async () => {
    const desk = await layDesk(house, put('Ada Bcc: eve@evil.example \u00e9\u4e2d'));
    await desk.send();
    expect(sink.letters).toHaveLength(1);
    const [header = ''] = sink.letters[0]?.bytes.toString('latin1').split('\r\n\r\n') ?? [];
    expect(header).not.toMatch(/^bcc:/im);
    expect(/[^\r\n\t\x20-\x7e]/.test(header)).toBe(false);
    expect(sink.letters[0]?.to).toEqual([desk.letters[0]?.person.address]);
  });

  test.each(BREAKS)('reaches none with %j in it, and the letter says why', async (sign) => {
    const desk = await layDesk(house, put(evil(sign)));
    await desk.send();
    await desk.send();
    expect(sink.letters).toEqual([]);
    expect((await desk.row())['state']).not.toBe('sent');
  });
});
