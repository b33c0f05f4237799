// The letter as one person will get it, whoever of the campaign is chosen, with what it asks for and they have no value for.
// It shows what is saved: the product alone makes letters. Its HTML is in a frame that runs nothing and loads nothing.
import { useState } from 'react';
import { useRead } from '../../../../ui/client/hooks.ts';
import { MailFrame } from '../../../../ui/kit/mail-frame.tsx';
import { Bones } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import { RecordSelect } from '../../../../ui/kit/record-select.tsx';
import classes from './steps.module.css';

type PreviewProps = { campaign: string; step: string | null; dirty: boolean };

export function Preview({ campaign, step, dirty }: PreviewProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const enrolled = useRead('prospect_list', { campaign, limit: 1 }).data?.items[0];
  const person = chosen ?? enrolled?.person_id ?? null;
  const known =
    enrolled?.person_id && enrolled.person_name
      ? { id: enrolled.person_id, name: enrolled.person_name }
      : null;
  const asked = person !== null && step !== null;
  const { data, error } = useRead(
    'campaign_preview',
    { campaign, person: person ?? '', step: step ?? '' },
    { enabled: asked, keep: true, stale_ms: 0 },
  );
  const preview = asked ? data?.preview : undefined;
  return (
    <aside className={classes.preview} aria-label="Preview">
      <h2>Preview</h2>
      <RecordSelect noun="person" value={person} onChange={setChosen} known={known} />
      {dirty && step !== null && <p className={classes.says}>Preview of the last saved version.</p>}
      {step === null ? (
        <p className={classes.says}>Save the steps to see this letter.</p>
      ) : person === null ? (
        <p className={classes.says}>Choose a person to see it with their name and fields.</p>
      ) : error ? (
        <p className={classes.says}>{error.sentence}</p>
      ) : preview ? (
        <>
          {preview.unresolved.length > 0 && (
            <p className={classes.warn} role="status">
              No value for {preview.unresolved.join(', ')}: this letter would be held.
            </p>
          )}
          {preview.faults.map((fault) => (
            <p key={fault} className={classes.warn} role="status">
              {fault}
            </p>
          ))}
          <dl className={classes.envelope}>
            <dt>From</dt>
            <dd>
              {preview.identity
                ? `${preview.identity.name} <${preview.identity.address}>`
                : 'No one yet: the pool is empty'}
            </dd>
            <dt>To</dt>
            <dd>{preview.to ?? 'No email address'}</dd>
            <dt>Subject</dt>
            <dd>{preview.subject}</dd>
            <dt>Earliest</dt>
            <dd>
              <Time at={preview.earliest_at} none="No sending hours" /> ({preview.timezone})
            </dd>
          </dl>
          <div className={classes.paper}>
            <MailFrame html={preview.html} title="The letter" />
          </div>
        </>
      ) : (
        <Bones lines={6} />
      )}
    </aside>
  );
}
