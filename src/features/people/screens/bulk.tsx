// What can be done to the people that are selected: tags, owner, suppression, deleting. A bar at the foot of the list, and a
// dialog that shows how far it is and names what did not work.
import { Button, Menu, Modal, Progress, TextInput } from '@mantine/core';
import { Ban, Tag, Trash2, UserRound, X } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../ui/client/call.ts';
import { tell } from '../../../ui/client/toast.ts';
import { useUserChoices } from '../../../ui/kit/choices.ts';
import { confirm } from '../../../ui/kit/confirm.ts';
import { useTopmost } from '../../../ui/kit/topmost.ts';
import type { ListedPerson } from '../contract.ts';
import { type ActOnOne, changed, type Run, useBulkRun } from './bulk-run.ts';
import { called } from './words.ts';
import classes from './people.module.css';

type BulkProps = { people: ListedPerson[]; clear: () => void };

const countOf = (n: number): string => (n === 1 ? '1 person' : `${n} people`);

export function Bulk({ people, clear }: BulkProps) {
  const { run, start, stop, close } = useBulkRun();
  const [tagging, setTagging] = useState<'add' | 'take' | null>(null);
  const [owning, setOwning] = useState(false);

  const go = async (title: string, of: ListedPerson[], act: ActOnOne): Promise<void> => {
    const result = await start(title, of, act);
    if (result.failed.length > 0 || result.stopped) return;
    close();
    clear();
    tell(`${title}: done for ${countOf(result.done)}.`);
  };
  const tag = (name: string): void => {
    const add = tagging === 'add';
    setTagging(null);
    const of = people.filter((person) => person.tags.includes(name) !== add);
    void go(add ? `Tag “${name}”` : `Take “${name}” off`, of, (person) =>
      changed(person, ({ tags }) => ({
        tags: add ? [...new Set([...tags, name])] : tags.filter((one) => one !== name),
      })),
    );
  };
  const suppress = async (): Promise<void> => {
    const of = people.filter((person) => person.addresses.length > 0);
    const yes = await confirm({
      title: `Suppress ${countOf(of.length)}?`,
      says: 'Nothing is written to any of their addresses from now on, by any campaign. Each is lifted one by one, by somebody who may.',
      act: 'Suppress',
      tone: 'bad',
    });
    if (!yes) return;
    void go('Suppress', of, ({ addresses }) =>
      call('suppression_add', { suppressions: addresses.map(({ value }) => ({ address: value })) }),
    );
  };
  const remove = async (): Promise<void> => {
    const yes = await confirm({
      title: `Delete ${countOf(people.length)}?`,
      says: 'They go with their addresses, notes and history, and nobody can bring them back. Their suppressions stay. To remove every trace for privacy, erase a person on their own page.',
      act: `Delete ${countOf(people.length)}`,
      tone: 'bad',
    });
    if (yes) void go('Delete', people, (person) => call('person_delete', { person: person.id }));
  };

  return (
    <>
      <div className={classes.bulk} role="toolbar" aria-label="Selected people" hidden={people.length === 0}>
        <strong role="status">{people.length} selected</strong>
        <Menu position="top-start">
          <Menu.Target>
            <Button variant="default" size="compact-md" leftSection={<Tag size={14} />}>
              Tags
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setTagging('add')}>Add a tag…</Menu.Item>
            <Menu.Item onClick={() => setTagging('take')}>Take a tag off…</Menu.Item>
          </Menu.Dropdown>
        </Menu>
        <Button
          variant="default"
          size="compact-md"
          leftSection={<UserRound size={14} />}
          onClick={() => setOwning(true)}
        >
          Owner
        </Button>
        <Button
          variant="default"
          size="compact-md"
          leftSection={<Ban size={14} />}
          onClick={() => void suppress()}
        >
          Suppress
        </Button>
        <Button
          variant="light"
          color="red"
          size="compact-md"
          leftSection={<Trash2 size={14} />}
          onClick={() => void remove()}
        >
          Delete
        </Button>
        <Button variant="subtle" color="gray" size="compact-md" aria-label="Select nobody" onClick={clear}>
          <X size={15} aria-hidden />
        </Button>
      </div>
      <TagDialog how={tagging} people={people} pick={tag} close={() => setTagging(null)} />
      <OwnerDialog
        opened={owning}
        close={() => setOwning(false)}
        pick={(owner, name) => {
          setOwning(false);
          void go(`Owner: ${name}`, people, (person) => changed(person, () => ({ owner })));
        }}
      />
      <RunDialog
        run={run}
        stop={stop}
        close={() => {
          close();
          clear();
        }}
      />
    </>
  );
}

type TagProps = {
  how: 'add' | 'take' | null;
  people: ListedPerson[];
  pick: (tag: string) => void;
  close: () => void;
};

function TagDialog({ how, people, pick, close }: TagProps) {
  const [name, setName] = useState('');
  const there = [...new Set(people.flatMap((person) => person.tags))].sort();
  const end = (): void => {
    setName('');
    close();
  };
  return (
    <Modal
      opened={how !== null}
      onClose={end}
      title={how === 'take' ? 'Take a tag off' : 'Add a tag'}
      size={400}
    >
      {how === 'take' ? (
        <div className={classes.progress}>
          {there.length === 0 && <p>None of them has a tag.</p>}
          {there.map((tag) => (
            <Button key={tag} variant="default" justify="flex-start" onClick={() => pick(tag)}>
              {tag}
            </Button>
          ))}
        </div>
      ) : (
        <form
          className={classes.progress}
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim()) pick(name.trim());
            setName('');
          }}
        >
          <TextInput
            label="Tag"
            data-autofocus
            maxLength={60}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <div className={classes.end}>
            <Button variant="default" onClick={end}>
              Cancel
            </Button>
            <Button type="submit" disabled={!name.trim()}>
              Add to {countOf(people.length)}
            </Button>
          </div>
        </form>
      )}
    </Modal>
  );
}

type OwnerProps = { opened: boolean; close: () => void; pick: (owner: string | null, name: string) => void };

const OwnerDialog = ({ opened, close, pick }: OwnerProps) => (
  <Modal opened={opened} onClose={close} title="Whose are they?" size={400}>
    <OwnerChoices pick={pick} />
  </Modal>
);

function OwnerChoices({ pick }: Pick<OwnerProps, 'pick'>) {
  const users = useUserChoices('active');
  return (
    <div className={classes.progress}>
      <Button variant="default" justify="flex-start" onClick={() => pick('me', 'me')}>
        Mine
      </Button>
      {users.map((user) => (
        <Button
          key={user.value}
          variant="default"
          justify="flex-start"
          onClick={() => pick(user.value, user.label)}
        >
          {user.label}
        </Button>
      ))}
      <Button variant="default" justify="flex-start" onClick={() => pick(null, 'nobody')}>
        Nobody’s
      </Button>
    </div>
  );
}

function RunDialog({ run, stop, close }: { run: Run | null; stop: () => void; close: () => void }) {
  const topmost = useTopmost(run !== null);
  const seen = run ? run.done + run.failed.length : 0;
  return (
    <Modal
      opened={run !== null}
      onClose={run?.over ? close : () => {}}
      title={run?.title}
      size={480}
      closeOnEscape={topmost && run?.over === true}
      closeOnClickOutside={false}
      withCloseButton={run?.over === true}
    >
      {run && (
        <div className={classes.progress}>
          <Progress value={(seen / Math.max(run.total, 1)) * 100} aria-label="How far it is" />
          <p role="status">
            {run.over
              ? `Done for ${run.done} of ${run.total}${run.stopped ? ', then stopped' : ''}.`
              : `${seen} of ${run.total}…`}
            {run.failed.length > 0 && ` ${run.failed.length} did not work:`}
          </p>
          {run.failed.length > 0 && (
            <ul className={classes.failed} tabIndex={0} aria-label="What did not work">
              {run.failed.map(({ person, says }) => (
                <li key={person.id}>
                  <strong>{called(person)}</strong>
                  <span>{says}</span>
                </li>
              ))}
            </ul>
          )}
          <div className={classes.end}>
            {run.over ? (
              <Button onClick={close}>Close</Button>
            ) : (
              <Button variant="default" onClick={stop}>
                Stop here
              </Button>
            )}
          </div>
        </div>
      )}
    </Modal>
  );
}
