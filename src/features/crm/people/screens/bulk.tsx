// What can be done to the people that are chosen: tags, owner, suppression, deleting. A bar at the foot of the list; what it
// begins goes on automatically (src/ui/shell/runs.ts).
import { Button, Menu } from '@mantine/core';
import { Ban, Tag, Trash2, UserRound, X } from 'lucide-react';
import { useState } from 'react';
import { ApiError, call } from '../../../../ui/client/call.ts';
import { staleAfter } from '../../../../ui/client/topics.ts';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { ChosenCount, howMany, type Chosen } from '../../../../ui/shell/runs-chosen.tsx';
import { start, type Plan } from '../../../../ui/shell/runs.ts';
import type { ListedPerson } from '../contract.ts';
import { OwnerDialog, TagDialog } from './bulk-dialogs.tsx';
import { called } from './words.ts';
import classes from './people.module.css';

const PEOPLE = ['person', 'people'] as const;

type BulkProps = { chosen: Chosen<ListedPerson>; known: number | null };
type Act = Pick<Plan<ListedPerson>, 'title' | 'act' | 'only'>;

export function Bulk({ chosen, known }: BulkProps) {
  const [tagging, setTagging] = useState<'add' | 'take' | null>(null);
  const [owning, setOwning] = useState(false);
  const { picked, clear } = chosen;
  const whom = howMany(chosen, PEOPLE);

  const go = (plan: Act): void =>
    void start({
      ...plan,
      of: PEOPLE,
      records: picked,
      about: (person) => ({ id: person.id, name: called(person), to: `/people/${person.id}` }),
      after: () => staleAfter('person_update', ['suppressions']),
    });
  const tag = (name: string): void => {
    const add = tagging === 'add';
    setTagging(null);
    go({
      title: add ? `Tag “${name}”` : `Remove “${name}”`,
      act: (person, gone) =>
        changed(person, gone, ({ tags }) => ({
          tags: add ? [...new Set([...tags, name])] : tags.filter((one) => one !== name),
        })),
    });
  };
  const suppress = async (): Promise<void> => {
    const yes = await confirm({
      title: `Suppress ${whom}?`,
      says: 'No campaign will send letters to any of their addresses. Suppressions can be lifted only one at a time, by someone with permission.',
      act: 'Suppress',
      tone: 'bad',
    });
    if (!yes) return;
    go({
      title: 'Suppress people',
      only: ({ addresses }) => addresses.length > 0,
      act: async ({ addresses }, gone) => {
        const suppressions = addresses.map(({ value }) => ({ address: value }));
        await call('suppression_add', { suppressions }, gone);
        return null;
      },
    });
  };
  const remove = async (): Promise<void> => {
    const yes = await confirm({
      title: `Delete ${whom}?`,
      says: 'Their addresses, notes and history are deleted. Suppressions stay. This can’t be undone. To remove every trace for privacy, erase each person on their own page.',
      act: `Delete ${whom}`,
      tone: 'bad',
    });
    if (!yes) return;
    go({
      title: 'Delete people',
      act: async ({ id }, gone) => {
        await call('person_delete', { person: id }, gone);
        return null;
      },
    });
    clear();
  };

  return (
    <>
      <div className={classes.bulk} role="toolbar" aria-label="Selected people" hidden={picked.length === 0}>
        <ChosenCount chosen={chosen} known={known} />
        <Menu position="top-start">
          <Menu.Target>
            <Button variant="default" size="compact-md" leftSection={<Tag size={14} />}>
              Tags
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setTagging('add')}>Add a tag…</Menu.Item>
            <Menu.Item onClick={() => setTagging('take')}>Remove a tag…</Menu.Item>
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
        <Button variant="subtle" color="gray" size="compact-md" aria-label="Clear selection" onClick={clear}>
          <X size={15} aria-hidden />
        </Button>
      </div>
      <TagDialog how={tagging} chosen={chosen} pick={tag} close={() => setTagging(null)} />
      <OwnerDialog
        opened={owning}
        close={() => setOwning(false)}
        pick={(owner, name) => {
          setOwning(false);
          go({ title: `Owner: ${name}`, act: (person, gone) => changed(person, gone, () => ({ owner })) });
        }}
      />
    </>
  );
}

type Change = { tags?: string[]; owner?: string | null };

/** A change that is right whatever else changed meanwhile: where it did, it is read again and made once more. */
async function changed(
  person: ListedPerson,
  gone: AbortSignal,
  change: (now: ListedPerson) => Change,
): Promise<null> {
  const patch = ({ id, revision }: ListedPerson, to: Change): Promise<unknown> =>
    call('person_update', { person: id, revision, ...to }, gone);
  try {
    await patch(person, change(person));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) throw error;
    const { person: now } = await call('person_read', { person: person.id }, gone);
    await patch(now, change(now));
  }
  return null;
}
