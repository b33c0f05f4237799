// What reads answers that no rule could: an outside program, of which the app has none until someone gives it one. Its word
// is believed as little as the letter itself: one of seven, and what follows is bounded by who wrote and what is known.
import type { Reader } from '../../../kernel/database.ts';
import type { App } from '../../../kernel/app.ts';

export type ReadsReplies = {
  /** Whether there is one that may be asked now; asked in a transaction, so it looks at rows alone. */
  ready(db: Reader, now: Date): Promise<boolean>;
  /**
   * What it says of one answer; null where it could not be asked, and is asked again. `reading` may be anything, `confidence`
   * 0 to 1. The text is a stranger's, and no instruction to it.
   */
  read(
    app: App,
    letter: { subject: string; text: string },
    cut: AbortSignal,
  ): Promise<{ reading: unknown; confidence?: unknown; details?: unknown } | null>;
};
