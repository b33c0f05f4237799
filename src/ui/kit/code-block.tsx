// Text to be copied: a block of code with its copy button, and a secret that is shown this once.
import { Check, Copy, EyeOff } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import classes from './code-block.module.css';

/** Works without a secure context too, where there is no clipboard interface. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.style.position = 'fixed';
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}

export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1_600);
    return () => clearTimeout(timer);
  }, [copied]);
  const name = copied ? 'Copied' : label;
  return (
    <button
      type="button"
      aria-label={name}
      title={name}
      onClick={() => void copy(text).then(setCopied)}
      className={classes.copy}
    >
      {copied ? <Check size={15} color="var(--good)" aria-hidden /> : <Copy size={15} aria-hidden />}
    </button>
  );
}

export function CodeBlock({ text, label, wrap = false }: { text: string; label: string; wrap?: boolean }) {
  return (
    <div className={classes.block}>
      {/* Scrollable, so it takes the focus of the keyboard. */}
      <pre tabIndex={0} aria-label={label} data-wrap={wrap || undefined}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} label={`Copy ${label}`} />
    </div>
  );
}

/** A value that is never shown again: said so, marked, and ready to copy. */
export function SecretOnce({
  value,
  label,
  children,
}: {
  value: string;
  label: string;
  children?: ReactNode;
}) {
  return (
    <div className={classes.secret}>
      <p>
        <EyeOff size={15} aria-hidden />
        <span>{children ?? 'Copy it now. It’s shown only once and can’t be recovered.'}</span>
      </p>
      <CodeBlock text={value} label={label} wrap />
    </div>
  );
}
