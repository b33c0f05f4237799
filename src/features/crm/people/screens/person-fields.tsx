// The fields of a person, each changed where it exists, and below them what is done to the whole record.
import { Switch } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useUserChoices } from '../../../../ui/kit/choices.ts';
import { Principal } from '../../../../ui/kit/principal.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import { CompanyFinder } from '../../companies/screens/shared.ts';
import { Finder } from '../../../../ui/kit/finder.tsx';
import fields from '../../../../ui/kit/fields.module.css';
import type { Person } from '../contract.ts';
import { ChoiceField, Field, OwnFields, TextField } from '../../../../ui/kit/in-place.tsx';
import { Links, Tags } from './list-fields.tsx';
import { PersonActs, type PersonOffers } from './person-acts.tsx';
import { fieldSetter, type Saving } from '../../../../ui/kit/record-saving.ts';
import { BASIS } from './words.ts';
import classes from './person.module.css';
import record from '../../../../ui/kit/record.module.css';

type PersonFieldsProps = {
  person: Person;
  saving: Saving<Person>;
  gone: () => void;
  offers: PersonOffers;
  mergeWith: string | null;
};

export function PersonFields({ person, saving, gone, offers, mergeWith }: PersonFieldsProps) {
  const set = fieldSetter(saving);
  const country = set('country');
  return (
    <section className={record.side} aria-label="Fields">
      <TextField name="Title" value={person.title} set={set('title')} />
      <Field name="Company">
        <CompanyFinder company={person.company} set={(id) => void set('company_id')(id)} />
        {person.company && (
          <Link className={classes.open} to="/companies/$company" params={{ company: person.company.id }}>
            Open company
          </Link>
        )}
      </Field>
      <Field name="Owner">
        <Owner person={person} set={(id) => void set('owner')(id)} />
      </Field>
      <Field name="Tags">
        <Tags tags={person.tags} set={set('tags')} />
      </Field>
      <ChoiceField
        name="Basis"
        value={person.basis}
        choices={BASIS}
        set={(basis) => void set('basis')(basis)}
      />
      <TextField name="Why" value={person.basis_note} set={set('basis_note')} />
      <TextField name="Source" value={person.source} set={set('source')} />
      <TextField name="Given name" value={person.given} set={set('given')} />
      <TextField name="Family name" value={person.family} set={set('family')} />
      <TextField name="Phone" value={person.phone} set={set('phone')} />
      <TextField
        name="Country"
        value={person.country}
        set={(text, from) => country(text?.toUpperCase() ?? null, from)}
      />
      <TextField name="Language" value={person.language} set={set('language')} />
      <TextField name="Time zone" value={person.timezone} set={set('timezone')} />
      <Field name="Links">
        <Links links={person.links} set={set('links')} />
      </Field>
      <OwnFields noun="person" values={person.custom} set={set('custom')} />
      <Field name="Merging">
        <Switch
          size="xs"
          className={fields.switch ?? ''}
          label="Do not merge"
          checked={person.do_not_merge}
          onChange={(event) => void set('do_not_merge')(event.currentTarget.checked)}
        />
      </Field>
      <dl className={fields.facts}>
        <div>
          <dt>Added by</dt>
          <dd>
            <Principal of={person.created_by} behalf={person.created_by.on_behalf_of ?? null} size={18} />
          </dd>
        </div>
        <div>
          <dt>Added</dt>
          <dd>
            <Time at={person.created_at} />
          </dd>
        </div>
        <div>
          <dt>Changed</dt>
          <dd>
            <Time at={person.updated_at} />
          </dd>
        </div>
      </dl>
      <PersonActs person={person} gone={gone} offers={offers} mergeWith={mergeWith} />
    </section>
  );
}

function Owner({ person, set }: { person: Person; set: (owner: string | null) => void }) {
  const users = useUserChoices('active');
  return (
    <Finder
      label="Owner"
      chosen={person.owner ? [person.owner.id] : ['']}
      options={[
        { id: '', word: 'No owner', shown: 'No owner' },
        ...users.map((user) => ({ id: user.value, word: user.label, shown: user.label })),
      ]}
      onPick={(id) => set(id || null)}
    >
      {person.owner?.name ?? <span className={classes.none}>No owner</span>}
    </Finder>
  );
}
