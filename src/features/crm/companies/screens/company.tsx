// One company: its fields, changed where they exist, and the people who work for it.
import { Button } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Trash2, UserPlus, Users } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../../ui/client/call.ts';
import { known, useAct, usePages, useRead } from '../../../../ui/client/hooks.ts';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { DataList } from '../../../../ui/kit/data-list.tsx';
import { useKeys } from '../../../../ui/kit/keys.ts';
import { counted, many } from '../../../../ui/kit/numbers.ts';
import { Offered, Page, Part } from '../../../../ui/kit/page.tsx';
import { Bones, Empty, Trouble } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import { columnsWith, NewPerson, RecordConflict } from '../../people/screens/shared.ts';
import { OwnFields, TextField } from '../../../../ui/kit/in-place.tsx';
import record from '../../../../ui/kit/record.module.css';
import fields from '../../../../ui/kit/fields.module.css';
import { fieldSetter, useSaving } from '../../../../ui/kit/record-saving.ts';
import type { Company } from '../contract.ts';
import classes from './companies.module.css';

export function CompanyScreen() {
  const { company: id } = useParams({ from: '/desk/companies/$company' });
  const navigate = useNavigate();
  const read = useRead('company_read', { company: id });
  const company = read.data?.company;
  const back = (): void => void navigate({ to: '/companies' });
  useKeys([{ keys: 'Escape', does: 'Back to companies', group: 'Company', run: back }]);
  return (
    <Page crumbs={[{ title: 'Companies', to: '/companies' }, { title: company?.name ?? 'Company' }]}>
      {company ? (
        <CompanyView key={company.id} company={company} gone={back} />
      ) : read.error ? (
        <Trouble error={read.error} again={() => void read.refetch()} />
      ) : (
        <div className={record.bones}>
          <Bones lines={6} height={16} />
        </div>
      )}
    </Page>
  );
}

function CompanyView({ company, gone }: { company: Company; gone: () => void }) {
  const args = { company: company.id };
  const update = useAct('company_update', { quiet: true });
  const saving = useSaving<Company>({
    record: company,
    put: async (change, revision) => (await update.mutateAsync({ ...args, revision, ...change })).company,
    read: async () => (await call('company_read', args)).company,
    show: (next) => known.set('company_read', args, { company: next }),
  });
  const set = fieldSetter(saving);
  const country = set('country');
  return (
    <div className={record.record}>
      <div className={record.main}>
        <RecordConflict saving={saving} name={company.name} />
        <Part>
          <PeopleOf company={company} />
        </Part>
      </div>
      <section className={record.side} aria-label="Fields">
        <TextField name="Name" value={company.name} set={set('name')} />
        <TextField name="Domain" value={company.domain} set={set('domain')} />
        <TextField
          name="Country"
          value={company.country}
          set={(text, from) => country(text?.toUpperCase() ?? null, from)}
        />
        <TextField name="Time zone" value={company.timezone} set={set('timezone')} />
        <TextField name="Size" value={company.size} set={set('size')} />
        <OwnFields noun="company" values={company.custom} set={set('custom')} />
        <dl className={fields.facts}>
          <div>
            <dt>Added</dt>
            <dd>
              <Time at={company.created_at} />
            </dd>
          </div>
          <div>
            <dt>Changed</dt>
            <dd>
              <Time at={company.updated_at} />
            </dd>
          </div>
        </dl>
        <DeleteCompany company={company} gone={gone} />
      </section>
    </div>
  );
}

const SHOWN = ['name', 'title', 'verified', 'updated'];
const COLUMNS = columnsWith([]).filter(({ key }) => SHOWN.includes(key));

function PeopleOf({ company }: { company: Company }) {
  const navigate = useNavigate();
  const [adding, setAdding] = useState(false);
  const pages = usePages('person_list', { company: [company.id], limit: 100 });
  return (
    <section className={classes.people} aria-label="People">
      <div className={classes.peopleHead}>
        <h2>{many(company.people, 'person', 'people')}</h2>
        <Offered>
          <Button variant="default" leftSection={<UserPlus size={14} />} onClick={() => setAdding(true)}>
            Add a person
          </Button>
        </Offered>
      </div>
      <div className={classes.table}>
        <DataList
          label="People at this company"
          columns={COLUMNS}
          pages={pages}
          rowKey={(one) => one.id}
          open={(one) => void navigate({ to: '/people/$person', params: { person: one.id } })}
          empty={
            <Empty icon={Users} title="No people yet">
              Add a person, or set this company on an existing person’s page.
            </Empty>
          }
        />
      </div>
      <NewPerson opened={adding} onClose={() => setAdding(false)} company={company} />
    </section>
  );
}

function DeleteCompany({ company, gone }: { company: Company; gone: () => void }) {
  const remove = useAct('company_delete', { says: `${company.name} deleted.`, onSuccess: gone });
  const ask = async (): Promise<void> => {
    const yes = await confirm({
      title: `Delete ${company.name}?`,
      says:
        company.people > 0
          ? `${company.people === 1 ? '1 person stays' : `${counted(company.people)} people stay`} in Dunnock without a company. This can’t be undone.`
          : 'This can’t be undone.',
      act: 'Delete company',
      tone: 'bad',
    });
    if (yes) remove.mutate({ company: company.id });
  };
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-sm"
      className={record.quiet ?? ''}
      leftSection={<Trash2 size={14} />}
      loading={remove.isPending}
      onClick={() => void ask()}
    >
      Delete
    </Button>
  );
}
