// A letter as one person of the campaign would get it, with merge fields they have no value for. It follows typing, saved or
// not. Its HTML is in a frame that runs and loads nothing.
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../../ui/client/call.ts';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { ActButton } from '../../../../ui/kit/act-button.tsx';
import { MailFrame } from '../../../../ui/kit/mail-frame.tsx';
import { Bones } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import { RecordSelect } from '../../../../ui/kit/record-select.tsx';
import classes from './steps.module.css';

type Words = { subject: string; text: string; html: string | null };
type PreviewProps = {
  campaign: string;
  /** The saved step that says these words; null where no saved one does. */
  saved: string | null;
  words: Words;
};

/** A letter is made again once typing pauses. */
const PAUSE_MS = 400;

export function Preview({ campaign, saved, words }: PreviewProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const enrolled = useRead('prospect_list', { campaign, limit: 1 }).data?.items[0];
  const person = chosen ?? enrolled?.person_id ?? null;
  const known =
    enrolled?.person_id && enrolled.person_name
      ? { id: enrolled.person_id, name: enrolled.person_name }
      : null;
  const ofSaved = useRead(
    'campaign_preview',
    { campaign, person: person ?? '', step: saved ?? '' },
    { enabled: person !== null && saved !== null, keep: true, stale_ms: 0 },
  );
  const [typed] = useDebouncedValue(JSON.stringify(words), PAUSE_MS);
  const ofTyped = useQuery({
    queryKey: ['campaigns', 'campaign_preview_draft', campaign, person, typed],
    queryFn: ({ signal }) => {
      const letter = { ...(JSON.parse(typed) as Words), campaign, person: person ?? '' };
      return call('campaign_preview_draft', letter, signal);
    },
    enabled: person !== null && saved === null,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const { data, error } = saved === null ? ofTyped : ofSaved;
  const preview = person === null ? undefined : data?.preview;
  const test = useAct('campaign_test_letter', { says: ({ to }) => `Test letter sent to ${to}` });
  return (
    <aside className={classes.preview} aria-label="Preview">
      <div className={classes.head}>
        <h2>Preview</h2>
        <ActButton
          variant="default"
          size="compact-sm"
          leftSection={<Send size={14} />}
          loading={test.isPending}
          closed={person === null ? 'Choose a person first.' : null}
          onClick={() => person !== null && test.mutate({ campaign, person, ...words })}
        >
          Send test to me
        </ActButton>
      </div>
      <RecordSelect noun="person" value={person} onChange={setChosen} known={known} />
      {saved === null && person !== null && <p className={classes.says}>Not saved yet.</p>}
      {person === null ? (
        <p className={classes.says}>Choose a person to preview the letter with their values.</p>
      ) : error ? (
        <p className={classes.says}>{error.message}</p>
      ) : preview ? (
        <>
          {preview.unresolved.length > 0 && (
            <p className={classes.warn} role="status">
              This person has no value for {preview.unresolved.join(', ')}, so this letter would be held.
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
                : 'No sender yet (the pool is empty)'}
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
            <MailFrame html={preview.html} title="Letter" />
          </div>
        </>
      ) : (
        <Bones lines={6} />
      )}
    </aside>
  );
}
