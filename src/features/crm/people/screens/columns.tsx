// The columns of the list of people: which there are, which are shown until someone chooses, and what is in them.
import type { CustomField } from '../../fields/contract.ts';
import type { Column } from '../../../../ui/kit/data-list.tsx';
import { Label, Pill } from '../../../../ui/kit/pills.tsx';
import { Mark } from '../../../../ui/kit/principal.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import { SuppressedMark } from '../../suppressions/screens/shared.ts';
import type { ListedPerson } from '../contract.ts';
import { BASIS, called, shownValue, VERDICT } from './words.ts';
import classes from './people.module.css';

const none = <span className={classes.none}>None</span>;
const line = (text: string | null | undefined) =>
  text ? (
    <span className={classes.line} title={text}>
      {text}
    </span>
  ) : (
    none
  );

const NAME: Column<ListedPerson> = {
  key: 'name',
  title: 'Name',
  cell: (person) => {
    const [address] = person.addresses;
    return (
      <span className={classes.who}>
        <Mark of={{ kind: 'person', id: person.id, name: called(person) }} size={26} />
        <span className={classes.names}>
          <strong>
            <bdi>{called(person)}</bdi>
          </strong>
          <span>
            <bdi>{person.name ? (address?.value ?? 'No address') : (person.title ?? 'No name')}</bdi>
          </span>
        </span>
        {person.suppressed && <SuppressedMark mark={person.suppressed} />}
      </span>
    );
  },
};

/** What may be chosen, in order. */
const CHOICES: Column<ListedPerson>[] = [
  { key: 'title', title: 'Title', width: '15%', hide: 'medium', cell: (person) => line(person.title) },
  {
    key: 'company',
    title: 'Company',
    width: '16%',
    hide: 'narrow',
    cell: (person) => line(person.company?.name),
  },
  {
    key: 'tags',
    title: 'Tags',
    width: '15%',
    hide: 'medium',
    cell: ({ tags }) =>
      tags.length === 0 ? (
        none
      ) : (
        <span className={classes.tags}>
          <Label>{tags[0] ?? ''}</Label>
          {tags.length > 1 && <span title={tags.join(', ')}>+{tags.length - 1}</span>}
        </span>
      ),
  },
  {
    key: 'verified',
    title: 'Verified',
    width: '118px',
    hide: 'medium',
    cell: ({ addresses: [first] }) =>
      first?.verification ? (
        <Pill tone={VERDICT[first.verification.verdict].tone}>
          {VERDICT[first.verification.verdict].title}
        </Pill>
      ) : (
        <span className={classes.none}>Not yet</span>
      ),
  },
  {
    key: 'owner',
    title: 'Owner',
    width: '13%',
    hide: 'medium',
    cell: (person) => line(person.owner?.name),
  },
  { key: 'basis', title: 'Basis', width: '140px', hide: 'medium', cell: (person) => BASIS[person.basis] },
  {
    key: 'country',
    title: 'Country',
    width: '80px',
    hide: 'medium',
    cell: (person) => line(person.country),
  },
  { key: 'source', title: 'Source', width: '120px', hide: 'medium', cell: (person) => line(person.source) },
  { key: 'phone', title: 'Phone', width: '130px', hide: 'medium', cell: (person) => line(person.phone) },
  {
    key: 'created',
    title: 'Added',
    width: '96px',
    hide: 'narrow',
    cell: (person) => <Time at={person.created_at} />,
  },
  {
    key: 'updated',
    title: 'Changed',
    width: '96px',
    hide: 'narrow',
    cell: (person) => <Time at={person.updated_at} />,
  },
];

export const DEFAULT_COLUMNS = 'company,tags,verified,updated';

/** The name, then what may be chosen. */
export const columnsWith = (custom: readonly CustomField[]): Column<ListedPerson>[] => [
  NAME,
  ...CHOICES,
  ...custom.map((field): Column<ListedPerson> => ({
    key: `custom.${field.key}`,
    title: field.title,
    width: '12%',
    hide: 'medium',
    cell: (person) => {
      const value = person.custom[field.key];
      return value === undefined || value === null ? none : line(shownValue(value));
    },
  })),
];

/** With many others the name keeps a third, and they share what is left. */
export const withRoom = ([name, ...others]: Column<ListedPerson>[]): Column<ListedPerson>[] =>
  name ? [others.length > 4 ? { ...name, width: '34%' } : name, ...others] : [];
