// What replies to RCPT mean: of the mailbox, of us, or nothing certain. Written as hosts in the field write them.
import { describe, expect, test } from 'vitest';
import { judge, numbersOf, refusesRandom, type Judgement } from '../../../src/mail/probe/reply.ts';

const reply = (line: string): { code: number; text: string } => ({
  code: Number(line.slice(0, 3)),
  text: line.slice(4),
});

describe('a reply is about the mailbox only when it says so', () => {
  test.each<[string, Judgement]>([
    ['250 2.1.5 OK', 'accepted'],
    ['251 user not local; will forward', 'accepted'],
    ['252 cannot verify, will try', 'unclear'],
    ['550 5.1.1 user unknown', 'mailbox_absent'],
    ['550 5.1.10 recipient not found', 'mailbox_absent'],
    ['553 5.1.1 no mailbox', 'mailbox_absent'],
    ['550 User unknown', 'mailbox_absent'],
    ['550 unknown user', 'mailbox_absent'],
    ['550 mailbox not found', 'mailbox_absent'],
    ['550 this account does not exist', 'mailbox_absent'],
    ['550 5.1.1 <x@blocked.example>: recipient address rejected', 'mailbox_absent'],
    ['550 5.2.1 mailbox disabled', 'unclear'],
    ['550 5.1.2 bad destination system', 'unclear'],
    ['550 mailbox unavailable', 'unclear'],
    ['554 transaction failed', 'unclear'],
    ['503 5.5.1 bad sequence', 'unclear'],
    ['550 5.7.1 user unknown', 'policy_refused'],
    ['550 5.7.606 access denied, banned sending IP', 'policy_refused'],
    ['550 5.1.1 blocked using a DNSBL', 'policy_refused'],
    ['550 user unknown, your host has no reverse DNS', 'policy_refused'],
    ['554 rejected due to poor reputation', 'policy_refused'],
    ['554 relay access denied', 'policy_refused'],
    ['550 5.1.1 SPF check failed', 'policy_refused'],
    ['421 4.7.0 try again later', 'greylisted'],
    ['450 4.1.1 user unknown', 'greylisted'],
    ['451 4.7.1 greylisting in action', 'greylisted'],
    ['452 4.5.3 too many recipients', 'greylisted'],
    ['452 insufficient system storage', 'greylisted'],
    ['452 4.2.2 over quota', 'mailbox_full'],
    ['552 5.2.2 mailbox full', 'mailbox_full'],
    ['552 quota', 'mailbox_full'],
    ['550 mailbox is full', 'mailbox_full'],
  ])('%s: %s', (line, expected) => expect(judge(reply(line))).toBe(expected));
});

test('a random mailbox is refused for not existing, not for us', () => {
  for (const line of ['550 5.1.1 no', '550 no', '550 5.4.1 rejected', '553 5.1.3 bad'])
    expect(refusesRandom(reply(line))).toBe(true);
  for (const line of ['550 5.7.1 no', '550 spam', '450 4.2.0 later', '554 no', '503 order', '252 maybe'])
    expect(refusesRandom(reply(line))).toBe(false);
});

test('of a reply its numbers are kept', () => {
  expect(numbersOf(reply('550 5.1.1 words'))).toBe('550_5.1.1');
  expect(numbersOf(reply('550 words 5.1.1'))).toBe('550');
});
