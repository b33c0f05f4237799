// Erasing a person for privacy, after their name was typed: no one can bring back what goes.
import { Button, Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ApiError } from '../../../../ui/client/call.ts';
import { useAct } from '../../../../ui/client/hooks.ts';
import { Refused } from '../../../../ui/kit/form.tsx';
import { useTopmost } from '../../../../ui/kit/topmost.ts';
import type { Person } from '../contract.ts';
import { called } from './words.ts';
import classes from './person.module.css';

type EraseProps = { opened: boolean; person: Person; onClose: () => void; gone: () => void };

export function EraseDialog({ opened, person, onClose, gone }: EraseProps) {
  const topmost = useTopmost(opened);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={`Erase ${called(person)}?`}
      size={480}
      closeOnEscape={topmost}
      closeOnClickOutside={false}
    >
      <Erase person={person} close={onClose} gone={gone} />
    </Modal>
  );
}

function Erase({ person, close, gone }: { person: Person; close: () => void; gone: () => void }) {
  const [typed, setTyped] = useState('');
  const [refused, setRefused] = useState<ApiError | null>(null);
  const word = called(person);
  const same = typed.trim().normalize('NFC') === word.trim().normalize('NFC');
  const erase = useAct('person_erase', {
    quiet: true,
    says: 'Erased. Suppressed addresses stay suppressed.',
    onSuccess: gone,
    onError: setRefused,
  });
  return (
    <form
      className={classes.stack}
      aria-label="Erase"
      onSubmit={(event) => {
        event.preventDefault();
        if (same && !erase.isPending) erase.mutate({ person: person.id, revision: person.revision });
      }}
    >
      <p>
        Everything stored about them is deleted: name, addresses, notes, timeline and what they wrote.
        Suppressions are kept, but only as a fingerprint of the address.
      </p>
      <p className={classes.says}>
        Erase someone when they ask you to. To clean up a list, delete people instead. To stop letters,
        suppress them.
      </p>
      <TextInput
        label={`Type “${word}” to erase them`}
        data-autofocus
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Refused error={refused} />
      <div className={classes.end}>
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button type="submit" color="red" disabled={!same} loading={erase.isPending}>
          Erase permanently
        </Button>
      </div>
    </form>
  );
}
