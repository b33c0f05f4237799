// What happened to a person, newest first, and writing a note.
import { Button, Textarea } from '@mantine/core';
import { useAct, usePages } from '../../../../ui/client/hooks.ts';
import { useKeptText } from '../../../../ui/kit/kept-text.ts';
import { Mark } from '../../../../ui/kit/principal.tsx';
import { ServerWords } from '../../../../ui/kit/server-words.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { TimelineEntry } from '../person-acts.contract.ts';
import type { Person } from '../contract.ts';
import { wordsOf } from './timeline-words.ts';
import classes from './person.module.css';
import { sends } from '../../../../ui/kit/writing-keys.ts';

export function PersonTimeline({ person }: { person: Person }) {
  const pages = usePages('person_timeline', { person: person.id, limit: 30 });
  return (
    <section className={classes.card} aria-label="Timeline">
      <div className={classes.cardHead}>
        <h2>Timeline</h2>
      </div>
      <NewNote key={person.id} person={person} />
      {pages.error && pages.rows.length === 0 ? (
        <Trouble error={pages.error} again={pages.again} />
      ) : pages.pending ? (
        <Bones lines={3} />
      ) : (
        <ol className={classes.entries}>
          {pages.rows.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
      {pages.more && (
        <Button variant="subtle" color="gray" loading={pages.fetching} onClick={pages.more}>
          Show earlier
        </Button>
      )}
    </section>
  );
}

function NewNote({ person }: { person: Person }) {
  const [text, setText] = useKeptText(`note:${person.id}`);
  const note = useAct('person_note', { onSuccess: () => setText('') });
  const send = (): void => {
    if (text.trim() && !note.isPending) note.mutate({ person: person.id, text: text.trim() });
  };
  return (
    <div className={classes.stack}>
      <Textarea
        aria-label="New note"
        placeholder="Write a note for the next person who contacts them"
        autosize
        minRows={2}
        maxRows={12}
        maxLength={10_000}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (sends(event)) send();
        }}
      />
      {text.trim() && (
        <div className={classes.end}>
          <Button loading={note.isPending} onClick={send}>
            Save note
          </Button>
        </div>
      )}
    </div>
  );
}

function Entry({ entry }: { entry: TimelineEntry }) {
  return (
    <li className={classes.entry}>
      <Mark of={entry.by} size={20} />
      <div>
        <strong>{entry.by.name}</strong> {wordsOf(entry)}{' '}
        <span className={classes.at}>
          <Time at={entry.at} />
        </span>
        {entry.text !== null &&
          (entry.kind.startsWith('delivery_') ? (
            <ServerWords said={entry.text} />
          ) : (
            <div className={classes.note}>{entry.text}</div>
          ))}
      </div>
    </li>
  );
}
