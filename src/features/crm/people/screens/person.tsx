// One person's own page.
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useRead } from '../../../../ui/client/hooks.ts';
import { useKeys } from '../../../../ui/kit/keys.ts';
import { Page } from '../../../../ui/kit/page.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import { HistoryLink } from '../../../access/audit/screens/shared.ts';
import { SuppressedMark } from '../../suppressions/screens/shared.ts';
import type { PersonOffers } from './person-acts.tsx';
import { PersonView } from './person-view.tsx';
import { called } from './words.ts';
import classes from '../../../../ui/kit/record.module.css';

export function PersonScreen({ offers }: { offers: PersonOffers }) {
  const { person: id } = useParams({ from: '/desk/people/$person' });
  const { act, id: other } = useSearch({ from: '/desk/people/$person' });
  const navigate = useNavigate();
  const read = useRead('person_read', { person: id });
  const person = read.data?.person;
  const back = (): void => void navigate({ to: '/people' });
  useKeys([{ keys: 'Escape', does: 'Back to people', group: 'Person', run: back }]);
  return (
    <Page
      crumbs={[{ title: 'People', to: '/people' }, { title: person ? called(person) : 'Person' }]}
      beside={person?.suppressed && <SuppressedMark mark={person.suppressed} />}
      actions={person && <HistoryLink noun="person" id={person.id} />}
    >
      {person ? (
        <PersonView
          key={person.id}
          person={person}
          gone={back}
          edit={act === 'edit'}
          mergeWith={act === 'merge' ? (other ?? null) : null}
          offers={offers}
        />
      ) : read.error ? (
        <Trouble error={read.error} again={() => void read.refetch()} />
      ) : (
        <div className={classes.bones}>
          <Bones lines={8} height={16} />
        </div>
      )}
    </Page>
  );
}
