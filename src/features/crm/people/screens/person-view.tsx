// A person whole: who they are, what stops letters to them, their addresses, what happened, and at the side their fields.
import { known, useAct } from '../../../../ui/client/hooks.ts';
import { call } from '../../../../ui/client/call.ts';
import { Mark } from '../../../../ui/kit/principal.tsx';
import type { Person } from '../contract.ts';
import { Addresses } from './addresses.tsx';
import { RecordConflict } from './conflict.tsx';
import type { PersonOffers } from './person-acts.tsx';
import { PersonDeals } from './person-deals.tsx';
import { PersonFields } from './person-fields.tsx';
import { PersonConversations, PersonLetters } from './person-mail.tsx';
import { PersonName } from './person-name.tsx';
import { PersonTimeline } from './person-timeline.tsx';
import { useSaving } from '../../../../ui/kit/record-saving.ts';
import { Suppressed } from './suppressed.tsx';
import { called } from './words.ts';
import classes from './person.module.css';
import record from '../../../../ui/kit/record.module.css';

type PersonViewProps = {
  person: Person;
  /** They were deleted or erased. */
  gone: () => void;
  /** The name is being edited from the start. */
  edit: boolean;
  /** The record that it is to be merged with, from the start. */
  mergeWith: string | null;
  offers: PersonOffers;
};

export function PersonView({ person, gone, edit, mergeWith, offers }: PersonViewProps) {
  const args = { person: person.id };
  const update = useAct('person_update', { quiet: true });
  const saving = useSaving<Person>({
    record: person,
    put: async (change, revision) => (await update.mutateAsync({ ...args, revision, ...change })).person,
    read: async () => (await call('person_read', args)).person,
    show: (next) => known.set('person_read', args, { person: next }),
  });
  return (
    <div className={record.record}>
      <div className={record.main}>
        <header className={classes.head}>
          <Mark of={{ kind: 'person', id: person.id, name: called(person) }} size={48} />
          <div>
            <PersonName person={person} saving={saving} edit={edit} />
            <p>{[person.title, person.company?.name].filter(Boolean).join(' · ') || 'No title or company'}</p>
          </div>
        </header>
        <RecordConflict saving={saving} name={called(person)} />
        <Suppressed person={person} />
        <Addresses person={person} saving={saving} />
        <PersonConversations person={person} />
        <PersonDeals person={person} />
        <PersonLetters person={person} />
        <PersonTimeline person={person} />
      </div>
      <PersonFields person={person} saving={saving} gone={gone} offers={offers} mergeWith={mergeWith} />
    </div>
  );
}
