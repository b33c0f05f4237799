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

/** A field that both may have a value of; `name` is what the merge calls it. */
type Row = { name: string; title: string; of: (one: ListedPerson) => string };

type ChoiceProps = { row: Row; one: ListedPerson; open: boolean; kept: boolean; choose: () => void };

/** A value; where the two differ, a choice between them. */
function Choice({ row, one, open, kept, choose }: ChoiceProps) {
  const shown = row.of(one);
  if (!open)
    return (
      <>
        {shown}
        {kept && shown !== 'None' && <span className="unseen"> (kept)</span>}
      </>
    );
  return (
    <button type="button" className={classes.choice} aria-pressed={kept} onClick={choose}>
      <span className="unseen">{row.title}: </span>
      {shown}
    </button>
  );
}

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
  const custom =
    useRead('field_list', { noun: 'person' }, { stale_ms: 120_000 }).data?.items[0]?.fields ?? [];
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set());
  const [into, from] = stays === 'this' ? [person, other] : [other, person];
  const rows: Row[] = [
    ...ROWS.map((field) => ({
      name: field === 'company' ? 'company_id' : field,
      title: FIELD[field] ?? field,
      of: (one: ListedPerson) => (field === 'basis' ? BASIS[one.basis] : shownValue(one[field])),
    })),
    ...custom.map(({ key, title }) => ({
      name: `custom.${key}`,
      title,
      of: (one: ListedPerson) => shownValue(one.custom[key] ?? null),
    })),
  ];
  const empty = (shown: string): boolean => shown === 'None' || shown === BASIS.none;
  /** What is kept of a field: the value of the record that stays, unless it has none or the other one was chosen. */
  const kept = ({ name, of }: Row): ListedPerson => (empty(of(into)) || taken.has(name) ? from : into);
  const choose = (name: string, one: ListedPerson): void => {
    const next = new Set(taken);
    if (one === from) next.add(name);
    else next.delete(name);
    setTaken(next);
  };
  return (
    <div className={classes.stack}>
      <SegmentedControl
        aria-label="Which record stays"
        value={stays}
        onChange={(next) => {
          setStays(next as 'this' | 'other');
          setTaken(new Set());
        }}
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
          {rows
            .filter(({ of }) => !empty(of(person)) || !empty(of(other)))
            .map((row) => (
              <tr key={row.name}>
                <th scope="row">{row.title}</th>
                {[person, other].map((one, at) => (
                  <td key={at} data-kept={(kept(row) === one && !empty(row.of(one))) || undefined}>
                    <Choice
                      row={row}
                      one={one}
                      open={
                        [person, other].every((each) => !empty(row.of(each))) &&
                        row.of(person) !== row.of(other)
                      }
                      kept={kept(row) === one}
                      choose={() => choose(row.name, one)}
                    />
                  </td>
                ))}
              </tr>
            ))}
          {JOINED.filter((field) => [person, other].some((one) => shownValue(one[field]) !== 'None')).map(
            (field) => (
              <tr key={field}>
                <th scope="row">{FIELD[field]}</th>
                {[person, other].map((one, at) => (
                  <td key={at} data-kept={shownValue(one[field]) !== 'None' || undefined}>
                    {shownValue(one[field])}
                  </td>
                ))}
              </tr>
            ),
          )}
        </tbody>
      </table>
      <p className={classes.says}>
        Highlighted values are kept; select a value to keep it instead. Addresses, tags, links and notes from
        both records are combined, the other record’s ID redirects here, and suppressions stay. This can’t be
        undone.
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
              take: [...taken],
            })
          }
        >
          Merge
        </Button>
      </div>
    </div>
  );
}
