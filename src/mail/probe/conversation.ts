// Rungs 7 and 8 with one mail host: who we are, STARTTLS where offered, the null sender, the mailbox, a mailbox that
// can’t exist, goodbye. No letter is started: DATA is never sent.
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Address } from '../address.rules.ts';
import { upgrade } from './connect.ts';
import { openLine, type Broken, type Line } from './line.ts';
import { judge, numbersOf, refusesRandom, type Reply } from './reply.ts';
import type { RungName, RungOutcome } from './verdict.rules.ts';

export type Found = { outcome: RungOutcome; evidence: string };

/** Said as each rung is decided; rungs that were not reached are not told. */
export type Tell = (rung: RungName, found: Found) => void;

export type Partner = { host: string; helo: string; replyMs: number; wholeMs: number };

/** The socket is closed when this resolves. */
export async function converse(
  socket: Socket,
  partner: Partner,
  address: Address,
  tell: Tell,
): Promise<void> {
  // A host that answers every command at the last moment is cut off here.
  const timer = setTimeout(() => socket.destroy(), partner.wholeMs);
  let line = openLine(socket, partner.replyMs);
  try {
    const greeting = await line.ask(null);
    if (!isCode(greeting, 220)) return tell('connect', notOurs(greeting, 'greeting'));
    tell('connect', { outcome: 'pass', evidence: 'greeting 220' });

    const begun = await begin(line, partner);
    line = begun.line;
    const rcpt = begun.refused ?? (await offer(line, address, begun.extensions));
    tell('rcpt', rcpt);
    if (rcpt.outcome === 'pass') tell('catch_all', await offerRandom(line, address.domain));
  } finally {
    await line.quit();
    clearTimeout(timer);
  }
}

type Begun = { line: Line; extensions: string; refused: Found | null };

/** As far as extensions are known, over TLS where it is offered. A host that offers TLS and then has none goes on without. */
async function begin(line: Line, { host, helo, replyMs }: Partner): Promise<Begun> {
  const plain = await greet(line, helo);
  if (plain.refused || !has(plain.extensions, 'STARTTLS')) return { line, ...plain };
  const ready = await line.ask('STARTTLS');
  if (typeof ready === 'string') return { line, extensions: '', refused: silent(ready, 'starttls') };
  if (ready.code !== 220) return { line, ...plain };
  const bare = line.release();
  const secure = bare && (await upgrade(bare, host, replyMs));
  if (!secure) return { line, extensions: '', refused: { outcome: 'unknown', evidence: 'tls_broken' } };
  const safe = openLine(secure, replyMs);
  return { line: safe, ...(await greet(safe, helo)) };
}

async function greet(line: Line, helo: string): Promise<{ extensions: string; refused: Found | null }> {
  const answer = await line.ask(`EHLO ${helo}`);
  if (typeof answer === 'string') return { extensions: '', refused: silent(answer, 'ehlo') };
  if (answer.code === 250) return { extensions: answer.text, refused: null };
  if (answer.code < 500) return { extensions: '', refused: notOurs(answer, 'ehlo') };
  const older = await line.ask(`HELO ${helo}`);
  return { extensions: '', refused: isCode(older, 250) ? null : notOurs(older, 'helo') };
}

async function offer(line: Line, { local, domain, utf8_local }: Address, extensions: string): Promise<Found> {
  if (utf8_local && !has(extensions, 'SMTPUTF8'))
    return { outcome: 'unknown', evidence: 'address_unsupported' };
  const sender = await line.ask(`MAIL FROM:<>${utf8_local ? ' SMTPUTF8' : ''}`);
  if (!isCode(sender, 250)) return notOurs(sender, 'mail_from');
  const answer = await line.ask(`RCPT TO:<${local}@${domain}>`);
  if (typeof answer === 'string') return silent(answer, 'rcpt');
  const judged = judge(answer);
  const evidence = `${judged} ${numbersOf(answer)}`;
  if (judged === 'accepted') return { outcome: 'pass', evidence };
  return { outcome: judged === 'mailbox_absent' ? 'fail' : 'unknown', evidence };
}

/** 20 random digits: no one has that mailbox, so a host that takes it takes everything. */
async function offerRandom(line: Line, domain: string): Promise<Found> {
  const answer = await line.ask(`RCPT TO:<x${randomBytes(10).toString('hex')}@${domain}>`);
  if (typeof answer === 'string') return silent(answer, 'random');
  const numbers = numbersOf(answer);
  const judged = judge(answer);
  if (judged === 'accepted') return { outcome: 'fail', evidence: `catch_all ${numbers}` };
  if (refusesRandom(answer)) return { outcome: 'pass', evidence: `random_refused ${numbers}` };
  const about = judged === 'greylisted' || judged === 'policy_refused' ? judged : 'unclear';
  return { outcome: 'unknown', evidence: `${about} ${numbers}` };
}

const isCode = (answer: Reply | Broken, code: number): boolean =>
  typeof answer !== 'string' && answer.code === code;

const silent = (broken: Broken, at: string): Found => ({
  outcome: 'unknown',
  evidence: `no_answer ${at} ${broken}`,
});

/** A refusal before the mailbox was named is about us, or about the hour. */
function notOurs(answer: Reply | Broken, at: string): Found {
  if (typeof answer === 'string') return silent(answer, at);
  const about = answer.code >= 500 ? 'policy_refused' : answer.code >= 400 ? 'greylisted' : 'no_answer';
  return { outcome: 'unknown', evidence: `${about} ${at} ${numbersOf(answer)}` };
}

const has = (extensions: string, name: string): boolean =>
  extensions.split('\n').some((each) => each.trim().split(' ')[0]?.toUpperCase() === name);
