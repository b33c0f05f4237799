// One email in quarantine: its text, or its formatting in an inert frame, and placing or dismissing it.
import { Button, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { ActButton } from '../../../../ui/kit/act-button.tsx';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { Facts } from '../../../../ui/kit/detail-drawer.tsx';
import { Refused } from '../../../../ui/kit/form.tsx';
import { MailFrame } from '../../../../ui/kit/mail-frame.tsx';
import { RecordDrawer } from '../../../../ui/kit/record-drawer.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { Quarantined } from '../contract.ts';
import type { QuarantineFilter } from '../quarantine-rules.contract.ts';
import { MoreLikeIt } from './more-like-it.tsx';
import classes from './quarantine.module.css';

type DrawerProps = {
  mail: Quarantined | null;
  /** Shows only mail like it. */
  only: (filter: QuarantineFilter) => void;
  onClose: () => void;
};

export function MailDrawer({ mail, only, onClose }: DrawerProps) {
  return (
    <RecordDrawer
      record={mail}
      onClose={onClose}
      id={({ id }) => id}
      title={({ subject }) => <bdi>{subject || 'No subject'}</bdi>}
      size={620}
    >
      {(one) => <Mail mail={one} only={only} onClose={onClose} />}
    </RecordDrawer>
  );
}

const FOLDER = { inbox: 'Inbox', sent: 'Sent', junk: 'Junk' } as const;
const BROKEN = 'Dunnock couldn’t read this email. Reply from your email app, then dismiss it here.';

function Mail({ mail, only, onClose }: Omit<DrawerProps, 'mail'> & { mail: Quarantined }) {
  const [formatted, setFormatted] = useState(false);
  const said = useRead(
    'quarantine_read',
    { mail: mail.id, formatted },
    { enabled: mail.state !== 'broken', stale_ms: 60_000, keep: true },
  );
  const dismiss = useAct('quarantine_dismiss', {
    says: 'Dismissed. Deleted after 30 days.',
    onSuccess: onClose,
  });
  const ask = async (): Promise<void> => {
    const yes = await confirm({
      title: 'Dismiss this email?',
      says: 'The email leaves quarantine. Its text is deleted after 30 days. No one is notified.',
      act: 'Dismiss',
      tone: 'bad',
    });
    if (yes) dismiss.mutate({ mail: mail.id });
  };
  const broken = mail.state === 'broken';
  return (
    <>
      <p className={classes.note}>{mail.note}</p>
      <Facts
        of={[
          [
            'From (unverified)',
            <bdi key="from">
              {[mail.from.name, mail.from.address].filter(Boolean).join(' · ') || 'Unknown sender'}
            </bdi>,
          ],
          ['Received', <Time key="at" at={mail.received_at} />],
          ['Folder', FOLDER[mail.folder]],
        ]}
      />
      <section className={classes.said} aria-label="Message" tabIndex={0}>
        {broken ? (
          <p className={classes.none}>{BROKEN}</p>
        ) : said.error ? (
          <Trouble error={said.error} again={() => void said.refetch()} />
        ) : !said.data ? (
          <Bones lines={5} />
        ) : (
          <>
            {formatted && said.data.html !== null ? (
              <div className={classes.framed}>
                <MailFrame html={said.data.html} title="Formatted message" />
              </div>
            ) : (
              <p className={classes.text} dir="auto">
                {said.data.text || 'No text'}
              </p>
            )}
            {said.data.truncated && !formatted && (
              <p className={classes.none}>Open the mailbox to read the rest.</p>
            )}
            {said.data.has_html && (
              <Button
                size="compact-xs"
                variant="subtle"
                color="gray"
                onClick={() => setFormatted(!formatted)}
              >
                {formatted ? 'Show as text' : 'Show formatting'}
              </Button>
            )}
          </>
        )}
      </section>
      {!broken && <Place mail={mail} />}
      <MoreLikeIt mail={mail} only={only} done={onClose} />
      <Button color="red" variant="light" mt={16} loading={dismiss.isPending} onClick={() => void ask()}>
        Dismiss
      </Button>
    </>
  );
}

/** People are found by name or address; whoever wrote it is looked for at first. Their conversations follow. */
function Place({ mail }: { mail: Quarantined }) {
  const [query, setQuery] = useState(mail.from.name ?? mail.from.address ?? '');
  const [person, setPerson] = useState<{ id: string; name: string } | null>(null);
  const found = useRead(
    'person_list',
    { query: query.trim().slice(0, 200), limit: 6 },
    { enabled: query.trim() !== '' && person === null, keep: true },
  );
  const threads = useRead(
    'thread_list',
    { person: person?.id ?? '', limit: 10 },
    { enabled: person !== null },
  );
  const place = useAct('quarantine_place', {
    quiet: true,
    says: 'Email added to the inbox. Matching sequences have stopped.',
    onSuccess: () => setPerson(null),
  });
  const people = found.data?.items ?? [];
  return (
    <section className={classes.place} aria-label="Conversation">
      <h3>Conversation</h3>
      {person === null ? (
        <>
          <TextInput
            label="Sender"
            description="Search by name or address."
            value={query}
            maxLength={200}
            onChange={(event) => setQuery(event.currentTarget.value)}
          />
          <ul className={classes.choices} aria-label="People" aria-busy={found.isFetching}>
            {people.map((each) => (
              <li key={each.id}>
                <Button
                  variant="default"
                  fullWidth
                  justify="start"
                  onClick={() => setPerson({ id: each.id, name: each.name || 'Unnamed person' })}
                >
                  <bdi>{[each.name, each.addresses[0]?.value].filter(Boolean).join(' · ')}</bdi>
                </Button>
              </li>
            ))}
          </ul>
          {query.trim() !== '' && found.data && people.length === 0 && (
            <p className={classes.none}>
              No matches. Add the sender in <Link to="/people">People</Link> first.
            </p>
          )}
        </>
      ) : (
        <>
          <p>
            <bdi>{person.name}</bdi>{' '}
            <Button size="compact-xs" variant="subtle" onClick={() => setPerson(null)}>
              Choose someone else
            </Button>
          </p>
          <ul className={classes.choices} aria-label="Conversations" aria-busy={threads.isFetching}>
            {(threads.data?.items ?? [])
              .filter(({ kind }) => kind === 'conversation')
              .map((thread) => (
                <li key={thread.id}>
                  <Button
                    variant="default"
                    fullWidth
                    justify="start"
                    disabled={place.isPending}
                    onClick={() => place.mutate({ mail: mail.id, thread_id: thread.id })}
                  >
                    <bdi>Add to: {thread.subject || 'No subject'}</bdi>
                  </Button>
                </li>
              ))}
          </ul>
          <ActButton
            loading={place.isPending}
            onClick={() => place.mutate({ mail: mail.id, person_id: person.id })}
          >
            Start a new conversation
          </ActButton>
        </>
      )}
      <Refused error={place.error} />
    </section>
  );
}
