// One mail of the quarantine: what it says, as text that does nothing or in a frame that does nothing either, and the two things
// that can be done with it.
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
const BROKEN =
  'It could not be read, so it cannot be placed: answer it from a mail program, and dismiss it here.';

function Mail({ mail, only, onClose }: Omit<DrawerProps, 'mail'> & { mail: Quarantined }) {
  const [formatted, setFormatted] = useState(false);
  const said = useRead(
    'quarantine_read',
    { mail: mail.id, formatted },
    { enabled: mail.state !== 'broken', stale_ms: 60_000, keep: true },
  );
  const dismiss = useAct('quarantine_dismiss', {
    says: 'Dismissed. It is kept for 30 days, in no list.',
    onSuccess: onClose,
  });
  const ask = async (): Promise<void> => {
    const yes = await confirm({
      title: 'Dismiss this mail?',
      says: 'It belongs to nobody’s conversation then and stands in no list; its words are forgotten after 30 days. Nobody is told.',
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
            'From, as it says itself',
            <bdi key="from">
              {[mail.from.name, mail.from.address].filter(Boolean).join(' · ') || 'Nobody named'}
            </bdi>,
          ],
          ['Came in', <Time key="at" at={mail.received_at} />],
          ['Folder', FOLDER[mail.folder]],
        ]}
      />
      <section className={classes.said} aria-label="What it says" tabIndex={0}>
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
                <MailFrame html={said.data.html} title="What it says, formatted" />
              </div>
            ) : (
              <p className={classes.text} dir="auto">
                {said.data.text || 'It has no text.'}
              </p>
            )}
            {said.data.truncated && !formatted && (
              <p className={classes.none}>There is more: look at it in the mailbox itself.</p>
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
    says: 'Placed: it stands in the inbox, and sequences that stop on an answer have stopped.',
    onSuccess: () => setPerson(null),
  });
  const people = found.data?.items ?? [];
  return (
    <section className={classes.place} aria-label="Where it belongs">
      <h3>Where it belongs</h3>
      {person === null ? (
        <>
          <TextInput
            label="Who wrote it"
            description="By name or address."
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
                  onClick={() => setPerson({ id: each.id, name: each.name || 'Somebody without a name' })}
                >
                  <bdi>{[each.name, each.addresses[0]?.value].filter(Boolean).join(' · ')}</bdi>
                </Button>
              </li>
            ))}
          </ul>
          {query.trim() !== '' && found.data && people.length === 0 && (
            <p className={classes.none}>
              No one matches. Add them under <Link to="/people">People</Link> first.
            </p>
          )}
        </>
      ) : (
        <>
          <p>
            <bdi>{person.name}</bdi>{' '}
            <Button size="compact-xs" variant="subtle" onClick={() => setPerson(null)}>
              Somebody else
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
                    <bdi>Into: {thread.subject || 'No subject'}</bdi>
                  </Button>
                </li>
              ))}
          </ul>
          <ActButton
            loading={place.isPending}
            onClick={() => place.mutate({ mail: mail.id, person_id: person.id })}
          >
            Begin a conversation with them
          </ActButton>
        </>
      )}
      <Refused error={place.error} />
    </section>
  );
}
