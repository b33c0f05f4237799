// State of a reply: saved as a draft while typing, sent exactly as shown, never lost on a refusal.
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { ApiError, call } from '../../../../../ui/client/call.ts';
import { known } from '../../../../../ui/client/hooks.ts';
import { useMe } from '../../../../../ui/client/session.ts';
import { staleAfter } from '../../../../../ui/client/topics.ts';
import type { Answer } from '../../../answers/contract.ts';
import { ofLetter, withNewest, WROTE_AGAIN } from '../../../answers/rules.ts';
import { begunWords, keepBegun } from './begun.ts';

export type Words = {
  text: string;
  cc: string;
  subject: string | null;
  /** What they wrote is below. */
  quote: boolean;
  files: Answer['attachments'];
};

const NONE: Words = { text: '', cc: '', subject: null, quote: true, files: [] };
const PAUSE_MS = 800;
const AGAIN_MS = 5_000;

const wordsOf = (answer: Answer): Words => ({
  text: answer.text,
  cc: answer.cc.join(', '),
  subject: answer.subject,
  quote: answer.quote,
  files: answer.attachments,
});

/** What is read of a conversation's answers; by it they are found again. */
export const answersOf = (thread: string): { thread: string; limit: number } => ({ thread, limit: 20 });

/**
 * What happened to an answer is shown with the act that did it. A list read before would say that it is still a draft, and open
 * it once more for whoever has just sent it. Null: it is thrown away.
 */
function showAs(thread: string, id: string, now: Answer | null): void {
  const list = known.get('answer_list', answersOf(thread));
  if (!list) return;
  const others = list.items.filter((one) => one.id !== id);
  known.set('answer_list', answersOf(thread), { ...list, items: now ? [now, ...others] : others });
}

const newestIn = (fingerprint: string): string | null => fingerprint.split('.')[1] ?? null;

export type Writing = {
  words: Words;
  set: (next: Partial<Words>) => void;
  /** As it is kept; null before anything was. */
  kept: Answer | null;
  state: 'kept' | 'typing' | 'keeping' | 'sending';
  trouble: ApiError | null;
  /** They wrote since this was begun: nothing goes before someone has read it. */
  wroteAgain: boolean;
  readIt: () => Promise<void>;
  /** Now, or not before then. Gives the answer that is on its way; null where it was refused. */
  send: (not_before?: string) => Promise<Answer | null>;
  discard: () => Promise<void>;
  /** Someone else changed it meanwhile. */
  theirs: Answer | null;
  takeTheirs: () => void;
};

/** `there`: the draft that is kept, as the product says it now; `newest`: what of theirs is last on the screen. */
export function useAnswer(thread: string, there: Answer | null, newest: string | null): Writing {
  const user = useMe().principal.id;
  const [kept, setKept] = useState<Answer | null>(there);
  /** Typed here before and not saved: the product was away, or the page was loaded again too soon. */
  const [left] = useState(() => begunWords(user, `answer:${thread}`));
  const [words, setWords] = useState<Words>(() => {
    const saved = there ? wordsOf(there) : NONE;
    return left === '' ? saved : { ...saved, text: left };
  });
  const [dirty, setDirty] = useState(left !== '' && left !== there?.text);
  const [state, setState] = useState<Writing['state']>('kept');
  const [trouble, setTrouble] = useState<ApiError | null>(null);
  const [refused, setRefused] = useState(there?.newer_message ?? false);
  const [begunAt, setBegunAt] = useState(newest);
  const read = useRef(there ? newestIn(there.fingerprint) : null);
  /** Read by what outlives a rendering; `typed` and `saved` count what was typed, and how much of it is kept. */
  const latest = useRef({ words, kept, typed: dirty ? 1 : 0, saved: 0 });
  useLayoutEffect(() => {
    latest.current.words = words;
    latest.current.kept = kept;
  }, [words, kept]);

  // Written elsewhere, or undone after it was sent: shown, unless someone types here.
  const newer = there !== null && (kept === null || there.id !== kept.id || there.revision > kept.revision);
  if (newer && !dirty && state === 'kept') {
    setKept(there);
    setWords(wordsOf(there));
    setRefused(there.newer_message);
  }

  const put = (answer: Answer): void => {
    read.current ??= newestIn(answer.fingerprint);
    setKept(answer);
    latest.current.kept = answer;
  };

  const keep = async (): Promise<Answer | null> => {
    const { words: given, kept: before, typed, saved } = latest.current;
    if (typed === saved || given.text.trim() === '') return before;
    setState('keeping');
    setTrouble(null);
    const said = {
      thread,
      cc: given.cc.split(/[,;\s]+/).filter(Boolean),
      ...(given.subject === null ? {} : { subject: given.subject }),
      // Asked for by whoever may not read what is quoted, it is refused: said only where someone chose it.
      ...(given.quote === (before?.quote ?? true) ? {} : { quote: given.quote }),
      attachments: given.files.map(({ id }) => id),
    };
    const { text } = given;
    try {
      const { answer } = before
        ? await call('answer_update', {
            ...said,
            // Other words without formatting make it plain; the same words leave it as it is.
            ...(text === before.text ? {} : { text }),
            answer: before.id,
            revision: before.revision,
          })
        : await call('answer_draft', { ...said, text });
      put(answer);
      if (answer.quote !== given.quote)
        setWords((now) => (now.quote === given.quote ? { ...now, quote: answer.quote } : now));
      latest.current.saved = typed;
      if (latest.current.typed === typed) keepBegun(user, `answer:${thread}`, '');
      const more = latest.current.typed > typed;
      setDirty(more);
      setState(more ? 'typing' : 'kept');
      void staleAfter('answer_update');
      return answer;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setTrouble(error);
      setState('typing');
      if (error.status === 409) void staleAfter('answer_update');
      return null;
    }
  };

  /** One at a time, so that each has the revision of the one before. */
  const queue = useRef<Promise<Answer | null>>(Promise.resolve(null));
  const keepInTurn = (): Promise<Answer | null> => (queue.current = queue.current.then(keep, keep));
  const pause = useEffectEvent(() => void keepInTurn());
  useEffect(() => {
    // What was refused is for whoever wrote it to see to; where no one answered it is tried again.
    if (!dirty || (trouble && trouble.status !== 0 && trouble.status < 500)) return;
    const timer = setTimeout(() => pause(), trouble ? AGAIN_MS : PAUSE_MS);
    return () => clearTimeout(timer);
  }, [words, dirty, trouble]);
  const leaving = useEffectEvent(() => {
    if (latest.current.typed > latest.current.saved) void keepInTurn();
  });
  useEffect(() => () => leaving(), []);
  useEffect(() => {
    if (!dirty) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [dirty]);

  const act = async <T>(work: () => Promise<T>): Promise<T | null> => {
    setState('sending');
    setTrouble(null);
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.sentence === WROTE_AGAIN) setRefused(true);
      else setTrouble(error);
      return null;
    } finally {
      setState('kept');
      void staleAfter('answer_send', ['sends']);
    }
  };
  const empty = (): void => {
    keepBegun(user, `answer:${thread}`, '');
    setKept(null);
    setWords(NONE);
    setDirty(false);
    setRefused(false);
    setBegunAt(newest);
    read.current = null;
    latest.current = { words: NONE, kept: null, typed: 0, saved: 0 };
  };

  return {
    words,
    set: (next) => {
      const changed = { ...words, ...next };
      if (!dirty && words.text === '' && kept === null) setBegunAt(newest);
      setWords(changed);
      setDirty(true);
      setTrouble(null);
      setState('typing');
      latest.current.words = changed;
      latest.current.typed += 1;
      keepBegun(user, `answer:${thread}`, changed.text);
    },
    kept,
    state,
    trouble,
    wroteAgain: refused || (begunAt !== newest && (kept !== null || words.text !== '')),
    readIt: async () => {
      const now = await keepInTurn();
      await act(async () => {
        if (now) {
          const { answer } = await call('answer_update', { thread, answer: now.id, revision: now.revision });
          read.current = newestIn(answer.fingerprint);
          put(answer);
        }
        setRefused(false);
        setBegunAt(newest);
      });
    },
    send: async (not_before) => {
      const now = await keepInTurn();
      if (!now) return null;
      const fingerprint = withNewest(ofLetter(now.fingerprint), read.current);
      const later = not_before === undefined ? {} : { not_before };
      const sent = await act(() => call('answer_send', { thread, answer: now.id, fingerprint, ...later }));
      if (!sent) return null;
      showAs(thread, now.id, sent.answer);
      empty();
      return sent.answer;
    },
    discard: async () => {
      latest.current.saved = latest.current.typed;
      await queue.current;
      const { kept: now } = latest.current;
      const done = now === null || (await act(() => call('answer_discard', { thread, answer: now.id })));
      if (!done) return;
      if (now) showAs(thread, now.id, null);
      empty();
    },
    theirs: newer && dirty ? there : null,
    takeTheirs: () => {
      if (!there) return;
      setKept(there);
      keepBegun(user, `answer:${thread}`, '');
      setWords(wordsOf(there));
      setDirty(false);
      setTrouble(null);
      latest.current = { words: wordsOf(there), kept: there, typed: 0, saved: 0 };
    },
  };
}
