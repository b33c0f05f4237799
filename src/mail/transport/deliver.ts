// The two stages of one letter on one connection. Opening: MAIL, RCPT, DATA and the letter except its end; whatever
// fails here, no server took it. Then the caller is asked to commit, and only after that the end is written; silence
// after it means the outcome is uncertain.
//
//   envelope ── 354 ──▶ body ── all but the end ──▶ hook ── resolved ──▶ final ── 2yz ──▶ accepted
//      │                 │                           │                    ├─ 4yz, 5yz ──▶ deferred, refused
//      └── any failure ──┴── the connection is cut ──┴─ rejected          └─ anything else ──▶ uncertain
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Dialogue } from './dialogue.ts';
import { outcomeOfReply, referenceIn } from './reply.ts';
import type { SessionOptions } from './session.ts';
import type { Outcome, OutgoingLetter, Peer, Stage, UnreachableWhy } from './transport.ts';

type Phase = 'envelope' | 'body' | 'hook' | 'final';

const PIECE_BYTES = 64 * 1024;
/** Held back with the end of the letter, so that what a host has before the commit is visibly a torn letter. */
const TAIL_BYTES = 2;

const brokeOff = (why: UnreachableWhy): Outcome => ({ outcome: 'unreachable', why, midway: true });

export async function deliver(
  connection: SMTPConnection,
  dialogue: Dialogue,
  { envelope, bytes, beforeFinalDot, signal }: OutgoingLetter,
  { peer, deadlines }: Pick<SessionOptions, 'peer' | 'deadlines'>,
): Promise<Outcome> {
  const isInternational = [envelope.from, ...envelope.to].some((address) => !/^\p{ASCII}*$/u.test(address));
  if (isInternational && !dialogue.offers('SMTPUTF8')) return { outcome: 'address_unsupported' };
  if (signal?.aborted) return { outcome: 'not_sent', why: 'cut' };

  const { promise, resolve } = Promise.withResolvers<Outcome>();
  let phase: Phase = 'envelope';
  let over = false;
  let hook: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  /** Once. `keep` leaves the connection for another letter. */
  const end = (outcome: Outcome, keep = false): void => {
    if (over) return;
    over = true;
    clearTimeout(timer);
    if (!keep) connection.close();
    resolve(outcome);
  };
  const giveUpAfter = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      end(phase === 'final' ? { outcome: 'uncertain' } : brokeOff('timeout'));
    }, ms);
  };
  const enter = (next: Phase, ms: number | null): void => {
    phase = next;
    if (ms === null) clearTimeout(timer);
    else giveUpAfter(ms);
  };
  const onCut = (): void =>
    end(phase === 'final' ? { outcome: 'uncertain' } : { outcome: 'not_sent', why: 'cut' });
  signal?.addEventListener('abort', onCut);

  /** All recipients or none: a letter to a person is not sent to those beside them alone. */
  const refusedRecipient = (): Outcome | null => {
    const refusal = dialogue.refusal();
    if (!refusal) return null;
    const recipient = envelope.to[refusal.index] ?? null;
    return outcomeOfReply(refusal.reply, { peer, stage: 'rcpt', recipient });
  };
  const mayBegin = (): boolean => {
    if (dialogue.refusal()) end(refusedRecipient() ?? brokeOff('protocol'));
    return !over;
  };
  const mayEnd = async (): Promise<boolean> => {
    enter('hook', null);
    const asked = Promise.try(beforeFinalDot);
    hook = asked.catch(() => undefined);
    try {
      await asked;
    } catch {
      end({ outcome: 'not_sent', why: 'hook' });
    }
    if (!over) await everythingHeard();
    // While the caller committed, the host may have gone, or said yes to half a letter: then the end is never written, and that is certain.
    if (over) return false;
    enter('final', deadlines.finalMs);
    return true;
  };
  const body = heldBack(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
    mayBegin,
    mayEnd,
    onPiece: () => enter('body', deadlines.pieceMs),
  });

  giveUpAfter(deadlines.envelopeMs);
  connection.send(
    { from: envelope.from, to: [...envelope.to], size: bytes.byteLength },
    body,
    (error, info) => {
      if (over) return;
      const isOpen = !connection.destroyed;
      if (phase !== 'final') {
        // Also a success that comes too early: who answers a letter before its end did not read it.
        const isRecipient = phase === 'envelope' && error !== null && error.command !== 'MAIL FROM';
        const outcome =
          (isRecipient && refusedRecipient()) || (error && outcomeOfOpening(error, phase, peer));
        const isClean = phase === 'envelope' && isOpen && error?.response !== undefined;
        return end(outcome ?? brokeOff('protocol'), isClean);
      }
      if (!error) return end(acceptedAs(info.response, info.serverMessageId), true);
      const said =
        error.command === 'DATA' ? outcomeOfReply(error.response ?? '', { peer, stage: 'final' }) : null;
      end(said ?? { outcome: 'uncertain' }, said !== null && isOpen);
    },
  );
  const outcome = await promise;
  signal?.removeEventListener('abort', onCut);
  // The caller's commit is over before the caller hears the outcome.
  await hook;
  return outcome;
}

/**
 * What the host said before the end is no answer to it, though it may lie here unread: it is taken up before the end is
 * written. The turn of the loop that runs may be past its reading already, so the second is the one that reads everything; the
 * third is for what is decrypted first.
 */
async function everythingHeard(): Promise<void> {
  for (let turns = 0; turns < 3; turns++) await nextTurn();
}

const acceptedAs = (reply: string, serverMessageId: string | undefined): Outcome => ({
  outcome: 'accepted',
  server_message_id: serverMessageId ?? null,
  reference: referenceIn(reply),
});

const STAGES: Record<string, Stage> = { 'MAIL FROM': 'mail', 'RCPT TO': 'rcpt', DATA: 'data' };

function outcomeOfOpening(error: SMTPConnection.SMTPError, phase: Phase, peer: Peer): Outcome | null {
  // A reply in the middle of the letter: the host has seen enough of it.
  const stage = phase === 'envelope' ? (STAGES[error.command ?? ''] ?? 'connect') : 'data';
  if (error.response) return outcomeOfReply(error.response, { peer, stage });
  // The host announced how much it takes, and this is more: as if it had said so.
  if (error.code === 'EMESSAGE') {
    const numbers = { code: 552, enhanced: '5.3.4', said: null };
    return {
      outcome: 'refused',
      stage: 'mail',
      about: 'content',
      kind: 'policy',
      cause: 'too_big',
      recipient: null,
      ...numbers,
      said: null,
    };
  }
  if (error.code === 'EENVELOPE') return { outcome: 'address_unsupported' };
  if (error.code === 'ETIMEDOUT') return brokeOff('timeout');
  return error.code === 'EPROTOCOL' ? null : brokeOff('dropped');
}

type Asked = { mayBegin: () => boolean; mayEnd: () => Promise<boolean>; onPiece: () => void };

/**
 * The letter as a stream whose tail and end wait for `mayEnd`. The library writes the final dot when the stream ends and
 * not before, and doubles every dot that begins a line, so that nothing earlier can look like an end.
 */
function heldBack(bytes: Buffer, { mayBegin, mayEnd, onPiece }: Asked): Readable {
  const tailAt = Math.max(0, bytes.byteLength - TAIL_BYTES);
  let at = 0;
  return new Readable({
    highWaterMark: PIECE_BYTES,
    read() {
      if (at === 0 && !mayBegin()) {
        this.destroy();
        return;
      }
      if (at < tailAt) {
        const piece = bytes.subarray(at, Math.min(at + PIECE_BYTES, tailAt));
        at += piece.byteLength;
        onPiece();
        this.push(piece);
        return;
      }
      void mayEnd().then((may) => {
        if (may) {
          this.push(bytes.subarray(tailAt));
          this.push(null);
        } else this.destroy();
      });
    },
  });
}
