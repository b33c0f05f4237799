// The SMTP transport: a few connections to one host with one login, kept open for a while, so that many letters cost
// few handshakes.
import { DEADLINES, openSession, type Access, type Deadlines, type Session } from './session.ts';
import type { Place } from './socket.ts';
import type { Outcome, OutgoingLetter, Peer, Transport } from './transport.ts';

export type SmtpOptions = Place & {
  access: Access;
  peer: Peer;
  ehlo_name: string;
  deadlines?: Partial<Deadlines>;
  /** At once; further letters wait their turn. */
  most_connections?: number;
};

/** Hosts end what is idle for longer, and some count connections. */
const IDLE_MS = 15_000;
/** Hosts refuse more on one connection, and the address is checked again with each. */
const MOST_LETTERS = 100;
const MOST_CONNECTIONS = 2;

type Kept = { session: Session; letters: number; timer: NodeJS.Timeout | null };

export function openSmtp(options: SmtpOptions): Transport {
  const settled = { ...options, deadlines: { ...DEADLINES, ...options.deadlines } };
  const most = options.most_connections ?? MOST_CONNECTIONS;
  const idle: Kept[] = [];
  const ending = new Set<Promise<void>>();
  const turns: (() => void)[] = [];
  let busy = 0;
  let closed = false;

  const leave = ({ session, timer }: Kept): void => {
    if (timer) clearTimeout(timer);
    const end = session.end().finally(() => ending.delete(end));
    ending.add(end);
  };
  const keep = (kept: Kept): void => {
    if (closed || !kept.session.isOpen() || kept.letters >= MOST_LETTERS) return leave(kept);
    kept.timer = setTimeout(() => {
      idle.splice(idle.indexOf(kept), 1);
      leave(kept);
    }, IDLE_MS).unref();
    idle.push(kept);
  };
  /** One that still answers, or none. RSET also clears what the letter before left. */
  const takeKept = async (): Promise<Kept | null> => {
    for (let kept = idle.pop(); kept; kept = idle.pop()) {
      if (kept.timer) clearTimeout(kept.timer);
      kept.timer = null;
      if (kept.session.isOpen() && (await kept.session.reset())) return kept;
    }
    return null;
  };
  const carry = async (letter: OutgoingLetter): Promise<Outcome> => {
    let kept = await takeKept();
    if (!kept) {
      const opened = await openSession(settled, letter.signal);
      if (!opened.ok) return letter.signal?.aborted ? { outcome: 'not_sent', why: 'cut' } : opened.outcome;
      kept = { session: opened.session, letters: 0, timer: null };
    }
    kept.letters += 1;
    try {
      return await kept.session.deliver(letter);
    } finally {
      keep(kept);
    }
  };

  return {
    async send(letter) {
      if (closed) throw new Error('a letter was given to a transport that is closed');
      if (busy >= most) await new Promise<void>((turn) => turns.push(turn));
      else busy += 1;
      try {
        return await carry(letter);
      } finally {
        // The place goes on to whoever waits.
        const next = turns.shift();
        if (next) next();
        else busy -= 1;
      }
    },
    async close() {
      closed = true;
      idle.splice(0).forEach(leave);
      await Promise.all(ending);
    },
  };
}
