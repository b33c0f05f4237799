// Settings › Custom fields: what this instance keeps of people, companies, deals and work items beside what every instance does.
import { Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRead } from '../../../../ui/client/hooks.ts';
import { Page } from '../../../../ui/kit/page.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import type { Noun } from '../contract.ts';
import { FieldSetForm } from './field-set.tsx';
import { NOUN } from './words.ts';
import classes from './fields.module.css';

export function CustomFieldsScreen() {
  const search = useSearch({ from: '/desk/settings/fields' });
  const navigate = useNavigate({ from: '/settings/fields' });
  const noun = (Object.keys(NOUN) as Noun[]).find((one) => one === search.kind) ?? 'person';
  const { data, error, refetch } = useRead('field_list', { noun });
  const set = data?.items[0];
  return (
    <Page crumbs={[{ title: 'Settings' }, { title: 'Custom fields' }]} width="reading">
      {error ? (
        <Trouble error={error} again={() => void refetch()} />
      ) : (
        <Tabs
          value={noun}
          onChange={(next) =>
            void navigate({ search: next && next !== 'person' ? { kind: next } : {}, replace: true })
          }
        >
          <Tabs.List aria-label="Record type" className={classes.tabs ?? ''}>
            {(Object.keys(NOUN) as Noun[]).map((one) => (
              <Tabs.Tab key={one} value={one}>
                {NOUN[one].many}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value={noun} className={classes.panel ?? ''}>
            <p className={classes.says}>{NOUN[noun].says}</p>
            {set?.noun === noun ? (
              <FieldSetForm key={`${noun} ${set.revision}`} set={set} />
            ) : (
              <Bones lines={4} height={30} />
            )}
          </Tabs.Panel>
        </Tabs>
      )}
    </Page>
  );
}
