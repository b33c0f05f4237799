// Merging two records of one person: the other one is found, both are side by side, and what is kept is marked before
// anything happens.
import { Button, Modal, SegmentedControl, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ApiError } from '../../../../ui/client/call.ts';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { Refused } from '../../../../ui/kit/form.tsx';
import { Bones } from '../../../../ui/kit/states.tsx';
import { useTopmost } from '../../../../ui/kit/topmost.ts';
import type { ListedPerson, Person } from '../contract.ts';
import { BASIS, called, FIELD, shownValue } from './words.ts';
import classes from './person.module.css';

type MergeProps = {
  opened: boolean;
  person: Person;
  /** The id of the other record, where it is known already. */
  known: string | null;
  onClose: () => void;
};

export function MergeDialog({ opened, person, known, onClose }: MergeProps) {
  const topmost = useTopmost(opened);
  const [found, setOther] = useState<ListedPerson | null>(null);
  const [leftKnown, setLeftKnown] = useState(false);
  const read = useRead(
    'person_read',
    { person: known ?? '' },
    { enabled: known !== null && known !== person.id },
  );
  const other = found ?? (leftKnown ? null : (read.data?.person ?? null));
  const close = (): void => {
    onClose();
    setOther(null);
  };
  return (
    <Modal opened={opened} onClose={close} title="Merge duplicate records" size={720} closeOnEscape={topmost}>
      {other ? (
        <Compare
          person={person}
          other={other}
          back={() => {
            setOther(null);
            setLeftKnown(true);
          }}
          done={close}
        />
      ) : (
        <FindOther person={person} pick={setOther} />
      )}
    </Modal>
  );
}

function FindOther({ person, pick }: { person: Person; pick: (other: ListedPerson) => void }) {
  const [words, setWords] = useState(person.name);
  const [asked] = useDebouncedValue(words.trim().slice(0, 200), 150);
  const { data, isFetching } = useRead(
    'person_list',
    { query: asked, limit: 10 },
    { enabled: asked !== '', keep: true },
  );
  const found = (data?.items ?? []).filter((one) => one.id !== person.id);
  return (
    <div className={classes.stack}>
      <TextInput
        label="The other record"
        description="Search by name, address or company."
        data-autofocus
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
      />
      {found.length > 0 ? (
        <ul className={classes.rows} aria-label="Found">
          {found.map((one) => (
            <li key={one.id}>
              <span className={classes.value}>
                <strong>{called(one)}</strong>{' '}
                <span className={classes.quietText}>
                  {[one.addresses[0]?.value, one.company?.name].filter(Boolean).join(' · ')}
                </span>
              </span>
              <Button variant="default" size="compact-sm" onClick={() => pick(one)}>
                Compare<span className="unseen"> with {called(one)}</span>
              </Button>
            </li>
          ))}
        </ul>
      ) : isFetching ? (
        <Bones lines={2} />
      ) : (
        <p className={classes.says}>{asked ? 'No one else matches.' : 'Enter a name.'}</p>
      )}
    </div>
  );
}

const ROWS: (keyof ListedPerson)[] = [
  'name',
  'title',
  'company',
  'phone',
  'country',
  'language',
  'timezone',
  'owner',
  'source',
  'basis',
];
const JOINED: (keyof ListedPerson)[] = ['addresses', 'tags', 'links'];

type CompareProps = { person: Person; other: ListedPerson; back: () => void; done: () => void };

function Compare({ person, other, back, done }: CompareProps) {
  const navigate = useNavigate();
  const [stays, setStays] = useState<'this' | 'other'>('this');
  const [refused, setRefused] = useState<ApiError | null>(null);
  const merge = useAct('person_merge', {
    quiet: true,
    says: ({ person: merged }) => `Merged: ${called(merged)} is now one record.`,
    onError: setRefused,
    onSuccess: ({ person: merged }) => {
      done();
      void navigate({ to: '/people/$person', params: { person: merged.id } });
    },
  });
  const [into, from] = stays === 'this' ? [person, other] : [other, person];
  const shown = (one: ListedPerson, field: keyof ListedPerson): string =>
    field === 'basis' ? BASIS[one.basis] : shownValue(one[field]);
  const empty = (one: ListedPerson, field: keyof ListedPerson): boolean =>
    field === 'basis' ? one.basis === 'none' : shownValue(one[field]) === 'None';
  const keeps = (one: ListedPerson, field: keyof ListedPerson): boolean =>
    JOINED.includes(field)
      ? !empty(one, field)
      : one === (empty(into, field) ? from : into) && !empty(one, field);
  return (
    <div className={classes.stack}>
      <SegmentedControl
        aria-label="Which record stays"
        value={stays}
        onChange={(next) => setStays(next as 'this' | 'other')}
        data={[
          { value: 'this', label: 'Keep this record' },
          { value: 'other', label: 'Keep the other' },
        ]}
      />
      <table className={classes.compare}>
        <thead>
          <tr>
            <th scope="row">
              <span className="unseen">Field</span>
            </th>
            <th scope="col">This record</th>
            <th scope="col">The other</th>
          </tr>
        </thead>
        <tbody>
          {[...ROWS, ...JOINED]
            .filter((field) => !empty(person, field) || !empty(other, field))
            .map((field) => (
              <tr key={field}>
                <th scope="row">{FIELD[field]}</th>
                {[person, other].map((one, at) => (
                  <td key={at} data-kept={keeps(one, field) || undefined}>
                    {shown(one, field)}
                    {keeps(one, field) && <span className="unseen"> (kept)</span>}
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
      <p className={classes.says}>
        Highlighted values are kept. Addresses, tags, links and notes from both records are combined, the
        other record’s ID redirects here, and suppressions stay. This can’t be undone.
      </p>
      <Refused error={refused} />
      <div className={classes.end}>
        <Button variant="default" onClick={back}>
          Back
        </Button>
        <Button
          color="red"
          loading={merge.isPending}
          onClick={() =>
            merge.mutate({
              person: into.id,
              from: from.id,
              revision: into.revision,
              from_revision: from.revision,
            })
          }
        >
          Merge
        </Button>
      </div>
    </div>
  );
}
