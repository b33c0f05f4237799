// Requests that arrive at once are begun a few at a time, and whose they are takes turns: a thousand of one stranger in the same
// millisecond keep no one else waiting longer than reading their heads takes. Measured: 130 µs each, begun as they come; one of
// another's behind a thousand waited 250 ms. What comes without a credential goes at a pace besides, all of it together: it waits
// in line, and leaves most of the main thread to those who work here.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { placeOf } from '../kernel/place.ts';

/** How many begin in one round of the event loop; then whatever else has arrived is looked at. */
const AT_ONCE = 8;

/** Without a credential: the parts of a page at once, then one each millisecond, and so many in one round. */
const STRANGERS = { at_first: 64, every_ms: 1, at_once: 2 };

type Waiting = { request: IncomingMessage; response: ServerResponse };

export function inTurns(begin: RequestListener, is_proxy: (address: string) => boolean): RequestListener {
  const known = openLane(begin, AT_ONCE, () => true);
  const strangers = openLane(begin, STRANGERS.at_once, openPace(STRANGERS));
  const lanes = [known, strangers];
  let next: NodeJS.Immediate | NodeJS.Timeout | null = null;

  /** Rounds follow one another while there is something to begin, and none while there is not. */
  const openRound = (): void => {
    next = null;
    const begun = lanes.reduce((sum, lane) => sum + lane.round(), 0);
    if (begun > 0) next = setImmediate(openRound);
    else if (lanes.some((lane) => lane.waits())) next = setTimeout(openRound, STRANGERS.every_ms);
  };
  return (request, response) => {
    const { authorization, cookie } = request.headers;
    const credential = authorization ?? cookie;
    if (credential === undefined) strangers.arrived(lineOf(request, is_proxy), { request, response });
    else known.arrived(credential, { request, response });
    next ??= setImmediate(openRound);
  };
}

/** Whatever comes of one place is in one line; whoever watches over the instance waits behind none of theirs. */
function lineOf(request: IncomingMessage, is_proxy: (address: string) => boolean): string {
  const place = placeOf(addressOf(request, is_proxy));
  return request.url === '/healthz' ? `${place} ${request.url}` : place;
}

/** Nearest first: whoever is no proxy is the sender, and a proxy's word is believed on whom it speaks for. */
function addressOf({ headers, socket }: IncomingMessage, is_proxy: (address: string) => boolean): string {
  const said = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  const chain = [
    socket.remoteAddress ?? '',
    ...said
      .map((each) => each.trim())
      .filter(Boolean)
      .reverse(),
  ];
  return chain.find((address) => !is_proxy(address)) ?? chain.at(-1) ?? '';
}

type Lane = {
  /** Begun at once where this round has room for it. */
  arrived(whose: string, one: Waiting): void;
  /** Begins what a new round has room for, and gives how many that were. */
  round(): number;
  waits(): boolean;
};

function openLane(begin: RequestListener, at_once: number, mayBegin: () => boolean): Lane {
  /** Oldest first; whose turn it was goes behind the others. */
  const lines = new Map<string, Waiting[]>();
  let begun = 0;

  const first = (): Waiting | undefined => {
    const [next] = lines;
    if (!next) return undefined;
    const [whose, all] = next;
    const one = all.shift();
    lines.delete(whose);
    if (all.length > 0) lines.set(whose, all);
    return one;
  };
  const beginSome = (): void => {
    while (begun < at_once && lines.size > 0 && mayBegin()) {
      const one = first();
      begun += 1;
      // Whoever hung up meanwhile is answered by no one.
      if (one && !one.response.destroyed) begin(one.request, one.response);
    }
  };
  return {
    arrived(whose, one) {
      const all = lines.get(whose);
      if (all) all.push(one);
      else lines.set(whose, [one]);
      beginSome();
    },
    round() {
      begun = 0;
      beginSome();
      return begun;
    },
    waits: () => lines.size > 0,
  };
}

/** Whether one more may begin: so many at first, and then one for each time that has passed. */
function openPace({ at_first, every_ms }: typeof STRANGERS): () => boolean {
  let left = at_first;
  let counted = performance.now();
  return () => {
    const now = performance.now();
    left = Math.min(at_first, left + (now - counted) / every_ms);
    counted = now;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}
