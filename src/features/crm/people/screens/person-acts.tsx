// What is done to a whole record: merging it with another, deleting it, erasing it for privacy.
import { Button } from '@mantine/core';
import { Eraser, MailSearch, Merge, PenLine, Trash2 } from 'lucide-react';
import { type ComponentType, useState } from 'react';
import { useAct } from '../../../../ui/client/hooks.ts';
import { ActButton } from '../../../../ui/kit/act-button.tsx';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { later } from '../../../../ui/kit/later.tsx';
import type { Person } from '../contract.ts';
import { called } from './words.ts';
import classes from './person.module.css';

const MergeDialog = later(
  () => import('./merge.tsx').then((m) => m.MergeDialog),
  ({ opened }) => opened,
);
const EraseDialog = later(
  () => import('./erase.tsx').then((m) => m.EraseDialog),
  ({ opened }) => opened,
);

/** What other areas let one do to a person, opened here; whoever shows the screen hands them in. */
export type PersonOffers = {
  WriteLetter: ComponentType<{ opened: boolean; onClose: () => void; person: { id: string; name: string } }>;
  VerifyDialog: ComponentType<{ opened: boolean; onClose: () => void; addresses: string[] }>;
};

type PersonActsProps = {
  person: Person;
  gone: () => void;
  offers: PersonOffers;
  /** The record that it is to be merged with, which opens that dialog. */
  mergeWith: string | null;
};

export function PersonActs(props: PersonActsProps) {
  const { person, gone, mergeWith } = props;
  const { WriteLetter, VerifyDialog } = props.offers;
  const [open, setOpen] = useState<'write' | 'verify' | 'merge' | 'erase' | null>(
    mergeWith === null ? null : 'merge',
  );
  const remove = useAct('person_delete', { says: `${called(person)} deleted.`, onSuccess: gone });
  const ask = async (): Promise<void> => {
    const yes = await confirm({
      title: `Delete ${called(person)}?`,
      says: 'Their addresses, notes and history are deleted. Suppressions of their addresses stay. This can’t be undone.',
      act: 'Delete person',
      tone: 'bad',
    });
    if (yes) remove.mutate({ person: person.id });
  };
  const addresses = person.addresses.map(({ value }) => value);
  const look = { variant: 'subtle', color: 'gray', size: 'compact-md', justify: 'flex-start' } as const;
  return (
    <div className={classes.acts}>
      <Button {...look} leftSection={<PenLine size={14} />} onClick={() => setOpen('write')}>
        Write a letter
      </Button>
      {addresses.length > 0 && (
        <Button {...look} leftSection={<MailSearch size={14} />} onClick={() => setOpen('verify')}>
          Verify addresses
        </Button>
      )}
      <ActButton
        {...look}
        leftSection={<Merge size={14} />}
        closed={person.do_not_merge ? 'This record is marked “do not merge”. Remove the mark first.' : null}
        onClick={() => setOpen('merge')}
      >
        Merge with another record
      </ActButton>
      <Button
        {...look}
        leftSection={<Trash2 size={14} />}
        loading={remove.isPending}
        onClick={() => void ask()}
      >
        Delete
      </Button>
      <Button {...look} leftSection={<Eraser size={14} />} onClick={() => setOpen('erase')}>
        Erase for privacy
      </Button>
      <WriteLetter
        opened={open === 'write'}
        person={{ id: person.id, name: called(person) }}
        onClose={() => setOpen(null)}
      />
      <VerifyDialog opened={open === 'verify'} addresses={addresses} onClose={() => setOpen(null)} />
      <MergeDialog
        opened={open === 'merge'}
        person={person}
        known={mergeWith}
        onClose={() => setOpen(null)}
      />
      <EraseDialog opened={open === 'erase'} person={person} onClose={() => setOpen(null)} gone={gone} />
    </div>
  );
}
