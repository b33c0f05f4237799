// A file that is on its way or being read: how much has gone out, then that it is being worked on, and a way to stop it.
import { Button, Progress } from '@mantine/core';
import { FileSpreadsheet } from 'lucide-react';
import type { Wizard } from './wizard.ts';
import { stopSending } from './wizard.ts';
import { bytes } from './words.ts';
import classes from './imports.module.css';

type WorkingProps = { file: File; doing: NonNullable<Wizard['doing']> };

export function Working({ file, doing }: WorkingProps) {
  const percent = Math.floor(doing.share * 100);
  const sending = percent < 100;
  const says = sending
    ? 'Uploading the file'
    : doing.what === 'plan'
      ? 'Comparing every row with existing people'
      : 'Importing as planned';
  return (
    <div className={classes.working}>
      <FileSpreadsheet size={22} strokeWidth={1.5} aria-hidden />
      <div>
        <p className={classes.filename}>
          <bdi>{file.name}</bdi> <span>{bytes(file.size)}</span>
        </p>
        <Progress
          value={sending ? percent : 100}
          animated={!sending}
          size="sm"
          aria-label={sending ? `${percent}% uploaded` : says}
        />
        <p>
          <span role="status">{says}</span>
          {sending ? ` (${percent}%)` : '…'}
        </p>
      </div>
      {doing.what === 'plan' && (
        <Button variant="default" onClick={stopSending}>
          Stop
        </Button>
      )}
    </div>
  );
}
