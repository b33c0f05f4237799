// Writing Markdown: a plain text box that grows, with a preview, and keys for bold, italic and links. Ctrl or ⌘ with Enter
// sends, Escape gives up. What was typed is guarded as in every form (leave.ts): giving up and leaving ask.
import { Button } from '@mantine/core';
import { useId, useRef, useState, type KeyboardEvent } from 'react';
import { KeyHint } from './key-hint.tsx';
import { markOf, mayLeave, useLeaveGuard } from './leave.ts';
import { MarkdownText } from './markdown-text.tsx';
import classes from './markdown-text.module.css';

export type EditorProps = {
  label: string;
  value: string;
  onChange: (next: string) => void;
  act: string;
  onAct: () => void;
  onCancel?: () => void;
  placeholder?: string;
  busy?: boolean;
  max: number;
  focus?: boolean;
  tone?: 'red';
  /** An empty text may be sent. */
  optional?: boolean;
};

const WRAPS: Record<string, [string, string]> = { b: ['**', '**'], i: ['_', '_'], k: ['[', '](https://)'] };

export function Editor(props: EditorProps) {
  const {
    label,
    value,
    onChange,
    act,
    onAct,
    onCancel,
    placeholder,
    busy = false,
    max,
    focus = false,
    tone,
    optional = false,
  } = props;
  const [preview, setPreview] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const empty = !optional && value.trim() === '';
  const id = useId();
  const [from] = useState(value);
  useLeaveGuard(value !== from && value.trim() !== '' && !busy, { id });
  const giveUp = async (): Promise<void> => {
    if (await mayLeave([id])) onCancel?.();
  };

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key === 'Escape' && onCancel) {
      event.stopPropagation();
      return void giveUp();
    }
    if (!event.metaKey && !event.ctrlKey) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      if (!empty && !busy) onAct();
      return;
    }
    const wrap = WRAPS[event.key.toLowerCase()];
    const { current } = area;
    if (!wrap || !current) return;
    event.preventDefault();
    event.stopPropagation();
    const { selectionStart: from, selectionEnd: to } = current;
    current.setRangeText(`${wrap[0]}${value.slice(from, to)}${wrap[1]}`, from, to, 'end');
    onChange(current.value);
  };

  return (
    <div className={classes.editor} {...markOf(id)}>
      {preview ? (
        <div className={classes.preview}>
          {value.trim() ? <MarkdownText text={value} /> : 'Nothing to preview yet.'}
        </div>
      ) : (
        <textarea
          ref={area}
          autoFocus={focus}
          aria-label={label}
          placeholder={placeholder}
          maxLength={max}
          value={value}
          dir="auto"
          onChange={(event) => onChange(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      )}
      <div className={classes.bar}>
        <button
          type="button"
          className={classes.look}
          aria-pressed={preview}
          onClick={() => setPreview(!preview)}
        >
          {preview ? 'Continue writing' : 'Preview · Markdown'}
        </button>
        <span className={classes.acts}>
          {onCancel && (
            <Button variant="subtle" color="gray" onClick={() => void giveUp()}>
              Cancel
            </Button>
          )}
          <Button
            color={tone}
            loading={busy}
            disabled={empty}
            onClick={onAct}
            rightSection={empty ? undefined : <KeyHint keys="mod+Enter" />}
          >
            {act}
          </Button>
        </span>
      </div>
    </div>
  );
}
