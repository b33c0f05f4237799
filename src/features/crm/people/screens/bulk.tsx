// What can be done to the people that are chosen, or to everyone the filter matches: a bar at the foot of the list. The product does
// it in the background (src/features/crm/bulk); the tray and the action's own page show how far it is.
import { Button, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Ban, Ellipsis, FileDown, MailSearch, Merge, Send, Tag, Trash2, UserRound, X } from 'lucide-react';
import { useState } from 'react';
import type { Takes } from '../../../../ui/client/call.ts';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { csvAddress } from '../../../../ui/kit/list-tools.tsx';
import { ChosenCount, howMany, type Chosen } from '../../../../ui/shell/runs-chosen.tsx';
import { startEnrol, startJob } from '../../../../ui/shell/runs-jobs.ts';
import type { ListedPerson } from '../contract.ts';
import { EnrolDialog, OwnerDialog, TagDialog } from './bulk-dialogs.tsx';
import type { filtersOf } from './filters.ts';
import classes from './people.module.css';

const PEOPLE = ['person', 'people'] as const;
/** Ids that fit into the address of a file. */
const EXPORTED_MAX = 200;

type BulkProps = {
  chosen: Chosen<ListedPerson>;
  filters: ReturnType<typeof filtersOf>;
  known: number | null;
};
type Asked = Omit<Takes<'bulk_start'>, 'people' | 'filter'>;

export function Bulk({ chosen, filters, known }: BulkProps) {
  const [dialog, setDialog] = useState<'add' | 'take' | 'owner' | 'enrol' | null>(null);
  const navigate = useNavigate();
  const { picked, all, clear } = chosen;
  const whom = howMany(chosen, PEOPLE);
  const ids = picked.map(({ id }) => id);
  const close = (): void => setDialog(null);

  const target = all ? { filter: filters } : { people: ids };
  const go = (asked: Asked): void => void startJob({ ...asked, ...target });
  const suppress = async (): Promise<void> => {
    const yes = await confirm({
      title: `Suppress ${whom}?`,
      says: 'No campaign will send letters to any of their addresses. Suppressions can be lifted only one at a time, by someone with permission.',
      act: 'Suppress',
      tone: 'bad',
    });
    if (yes) go({ act: 'suppress' });
  };
  const remove = async (): Promise<void> => {
    const yes = await confirm({
      title: `Delete ${whom}?`,
      says: 'Their addresses, notes and history are deleted. Suppressions stay. This can’t be undone. To remove every trace for privacy, erase each person on their own page.',
      act: `Delete ${whom}`,
      tone: 'bad',
    });
    if (!yes) return;
    go({ act: 'delete' });
    clear();
  };
  const [one, other, ...more] = picked;
  const mergeable = !all && one && other && more.length === 0;
  const mayExport = all || ids.length <= EXPORTED_MAX;

  return (
    <>
      <div className={classes.bulk} role="toolbar" aria-label="Selected people" hidden={picked.length === 0}>
        <ChosenCount chosen={chosen} known={known} most={Infinity} />
        <Menu position="top-start">
          <Menu.Target>
            <Button variant="default" size="compact-md" leftSection={<Tag size={14} />}>
              Tags
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setDialog('add')}>Add a tag…</Menu.Item>
            <Menu.Item onClick={() => setDialog('take')}>Remove a tag…</Menu.Item>
          </Menu.Dropdown>
        </Menu>
        <Button
          variant="default"
          size="compact-md"
          leftSection={<UserRound size={14} />}
          onClick={() => setDialog('owner')}
        >
          Owner
        </Button>
        <Button
          variant="default"
          size="compact-md"
          leftSection={<Send size={14} />}
          onClick={() => setDialog('enrol')}
        >
          Enrol
        </Button>
        <Menu position="top-end">
          <Menu.Target>
            <Button variant="default" size="compact-md" aria-label="More actions">
              <Ellipsis size={15} aria-hidden />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<MailSearch size={14} />} onClick={() => go({ act: 'verify' })}>
              Verify addresses
            </Menu.Item>
            <Menu.Item
              leftSection={<FileDown size={14} />}
              disabled={!mayExport}
              component="a"
              href={csvAddress('person_list', all ? filters : { id: ids.slice(0, EXPORTED_MAX) })}
              download=""
            >
              {mayExport ? 'Export as CSV' : `Export as CSV (up to ${EXPORTED_MAX} selected)`}
            </Menu.Item>
            <Menu.Item
              leftSection={<Merge size={14} />}
              disabled={!mergeable}
              onClick={() =>
                one &&
                other &&
                void navigate({
                  to: '/people/$person',
                  params: { person: one.id },
                  search: { act: 'merge', id: other.id },
                })
              }
            >
              {mergeable ? 'Merge duplicates…' : 'Merge duplicates… (select 2)'}
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item leftSection={<Ban size={14} />} onClick={() => void suppress()}>
              Suppress…
            </Menu.Item>
            <Menu.Item color="red" leftSection={<Trash2 size={14} />} onClick={() => void remove()}>
              Delete…
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
        <Button variant="subtle" color="gray" size="compact-md" aria-label="Clear selection" onClick={clear}>
          <X size={15} aria-hidden />
        </Button>
      </div>
      <TagDialog
        how={dialog === 'add' || dialog === 'take' ? dialog : null}
        chosen={chosen}
        pick={(tag) => {
          go({ act: dialog === 'take' ? 'remove_tags' : 'add_tags', tags: [tag] });
          close();
        }}
        close={close}
      />
      <OwnerDialog
        opened={dialog === 'owner'}
        close={close}
        pick={(owner) => {
          close();
          go({ act: 'set', fields: { owner } });
        }}
      />
      <EnrolDialog
        opened={dialog === 'enrol'}
        whom={whom}
        close={close}
        pick={(campaign) => {
          close();
          void startEnrol({ campaign, ...target });
        }}
      />
    </>
  );
}
