// What follows the text of a reply: signature and quoted message, folded.
import { Button } from '@mantine/core';
import type { Answer } from '../../../answers/contract.ts';
import type { Words } from './use-answer.ts';
import classes from './composer.module.css';

type BelowProps = {
  kept: Answer | null;
  /** The whole letter is shown already. */
  formatted: boolean;
  quote: boolean;
  set: (next: Partial<Words>) => void;
};

export function Below({ kept, formatted, quote, set }: BelowProps) {
  if (!kept) return null;
  const { text, quoted } = kept.letter;
  const foot = text.startsWith(kept.text) ? text.slice(kept.text.length) : '';
  const signature = (quoted === null ? foot : foot.slice(0, -quoted.length)).trim();
  return (
    <>
      {signature && !formatted && (
        <details className={classes.signature}>
          <summary>Signature of {kept.from}</summary>
          <p>{signature}</p>
        </details>
      )}
      {!quote ? (
        <div>
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => set({ quote: true })}>
            Quote their message
          </Button>
        </div>
      ) : (
        <div className={classes.quoted}>
          {quoted !== null && (
            <details className={classes.signature}>
              <summary>Quoted message</summary>
              <p dir="auto">{quoted}</p>
            </details>
          )}
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => set({ quote: false })}>
            Remove quote
          </Button>
        </div>
      )}
    </>
  );
}
