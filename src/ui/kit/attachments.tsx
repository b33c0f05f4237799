// Files of a letter or an answer: chosen, dropped or pasted, uploaded one at a time, and removed.
import { Button, FileButton } from '@mantine/core';
import { Paperclip, X } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { tell } from '../client/toast.ts';
import { sizeText } from './numbers.ts';
import classes from './attachments.module.css';

export type Attached = { id: string; filename: string; size_bytes: number };
export type Upload = { filename: string; media_type: string; file_base64: string };

/** What one upload can hold, and one letter. */
const MAX_BYTES = 760_000;
const MOST = 5;

type Carried<F extends Attached> = {
  files: readonly F[];
  change: (files: F[]) => void;
  /** Null where it was refused, which is told already. */
  upload: (file: Upload) => Promise<F | null>;
};

export type Attaching = { add: (chosen: readonly File[]) => Promise<void>; busy: boolean; room: boolean };

export function useAttaching<F extends Attached>(carried: Carried<F>): Attaching {
  const [busy, setBusy] = useState(false);
  /** As they are when a file has come up: meanwhile someone may have typed, or taken one off. */
  const now = useRef(carried);
  useLayoutEffect(() => {
    now.current = carried;
  });
  const add = async (chosen: readonly File[]): Promise<void> => {
    setBusy(true);
    for (const file of chosen) {
      if (now.current.files.length >= MOST) {
        tell(`A letter can have at most ${MOST} files.`);
        break;
      }
      if (file.size > MAX_BYTES) {
        tell(`${file.name} is too large. Files can be up to 760 kB.`);
        continue;
      }
      const kept = await now.current.upload({
        filename: file.name,
        media_type: file.type || 'application/octet-stream',
        file_base64: await base64(file),
      });
      if (!kept) continue;
      const files = [...now.current.files, kept];
      now.current = { ...now.current, files };
      now.current.change(files);
    }
    setBusy(false);
  };
  return { add, busy, room: carried.files.length < MOST };
}

async function base64(file: File): Promise<string> {
  let binary = '';
  for (const byte of new Uint8Array(await file.arrayBuffer())) binary += String.fromCharCode(byte);
  return btoa(binary);
}

export function AttachButton({ attaching, quiet = false }: { attaching: Attaching; quiet?: boolean }) {
  if (!attaching.room) return null;
  return (
    <FileButton multiple onChange={(chosen) => void attaching.add(chosen)}>
      {(props) => (
        <Button
          {...props}
          variant={quiet ? 'subtle' : 'default'}
          {...(quiet ? { color: 'gray' } : { size: 'compact-sm' })}
          loading={attaching.busy}
          leftSection={<Paperclip size={14} />}
        >
          {quiet ? 'Attach' : 'Attach a file'}
        </Button>
      )}
    </FileButton>
  );
}

type ListProps<F extends Attached> = {
  files: readonly F[];
  change: (files: F[]) => void;
  /** Where one can be looked at. */
  href?: (file: F) => string;
};

export function AttachedList<F extends Attached>({ files, change, href }: ListProps<F>) {
  if (files.length === 0) return null;
  return (
    <ul className={classes.files} aria-label="Attachments">
      {files.map((file) => (
        <li key={file.id}>
          <Paperclip size={13} aria-hidden />
          {href ? (
            <a href={href(file)} download dir="auto">
              {file.filename}
            </a>
          ) : (
            <span dir="auto">{file.filename}</span>
          )}
          <span className={classes.size}>{sizeText(file.size_bytes)}</span>
          <button
            type="button"
            aria-label={`Remove ${file.filename}`}
            onClick={() => change(files.filter(({ id }) => id !== file.id))}
          >
            <X size={14} />
          </button>
        </li>
      ))}
    </ul>
  );
}
