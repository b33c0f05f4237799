// Code field with line numbers. Tab indents; after Escape, Tab leaves the field.
import { useId, useRef } from 'react';
import classes from './code-area.module.css';
import { sends } from '../../../../ui/kit/writing-keys.ts';

type CodeAreaProps = {
  label: string;
  value: string;
  onChange: (text: string) => void;
  error?: string | null;
  /** Ctrl or ⌘ with Enter. */
  run?: () => void;
  rows?: number;
};

const INDENT = '  ';

export function CodeArea({ label, value, onChange, error = null, run, rows = 14 }: CodeAreaProps) {
  const id = useId();
  const numbers = useRef<HTMLPreElement>(null);
  const leaves = useRef(false);
  const lines = value.split('\n').length;
  return (
    <div className={classes.code}>
      <div className={classes.head}>
        <label htmlFor={id}>{label}</label>
        <span id={`${id}-keys`}>Tab indents. Press Escape, then Tab to leave.</span>
      </div>
      <div className={classes.frame} data-invalid={error !== null || undefined}>
        <pre ref={numbers} aria-hidden className={classes.numbers}>
          {Array.from({ length: lines }, (_, at) => at + 1).join('\n')}
        </pre>
        <textarea
          id={id}
          aria-describedby={`${id}-keys ${id}-error`}
          aria-invalid={error !== null || undefined}
          rows={Math.min(Math.max(lines + 1, rows), 36)}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          wrap="off"
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          onScroll={(event) => {
            if (numbers.current) numbers.current.scrollTop = event.currentTarget.scrollTop;
          }}
          onBlur={() => (leaves.current = false)}
          onKeyDown={(event) => {
            if (sends(event) && run) {
              event.preventDefault();
              run();
              return;
            }
            if (event.key !== 'Tab') {
              // A modifier on its own is no other key: Escape, Shift and Tab leaves backwards.
              if (event.key !== 'Shift') leaves.current = event.key === 'Escape';
              return;
            }
            if (leaves.current || event.shiftKey || event.altKey || event.metaKey || event.ctrlKey) return;
            event.preventDefault();
            const area = event.currentTarget;
            // The browser's own way, which its undo knows; where there is none, the text is put together.
            if (!document.execCommand('insertText', false, INDENT)) {
              area.setRangeText(INDENT, area.selectionStart, area.selectionEnd, 'end');
              onChange(area.value);
            }
          }}
        />
      </div>
      <p id={`${id}-error`} role="alert" className={classes.error}>
        {error}
      </p>
    </div>
  );
}
