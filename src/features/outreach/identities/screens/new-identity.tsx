// Setting up an identity: who writes, from which address, and by which way. It is born inactive; its own page tests it and sets
// it active.
import { Select, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { FormEnd, FormStack, useActForm, type ActForm } from '../../../../ui/kit/form.tsx';
import { OpenTo } from '../../../../ui/kit/open-to.tsx';
import { Page, Section } from '../../../../ui/kit/page.tsx';
import {
  TransportFields,
  transportValues,
  transportWishOf,
  type TransportValues,
} from './transport-fields.tsx';
import classes from './identities.module.css';

const zones = (): string[] => ['UTC', ...Intl.supportedValuesOf('timeZone')];

export function NewIdentityScreen() {
  const navigate = useNavigate();
  const domains = useRead('domain_list', { limit: 100 }).data?.items ?? [];
  const create = useAct('identity_create', {
    quiet: true,
    says: 'Identity created. Test it before you activate it.',
  });
  const form = useActForm(
    {
      name: '',
      address: '',
      domain_id: '',
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      ...transportValues(),
    },
    async (values) => {
      const { identity } = await create.mutateAsync({
        name: values.name,
        address: values.address,
        timezone: values.timezone,
        transport: transportWishOf(values),
      });
      await navigate({ to: '/settings/identities/$identity', params: { identity: identity.id } });
    },
  );
  const usable = domains.filter(({ state }) => state !== 'retired').map(({ name }) => name);
  return (
    <Page
      crumbs={[
        { title: 'Settings' },
        { title: 'Identities', to: '/settings/identities' },
        { title: 'Set up an identity' },
      ]}
      width="reading"
    >
      <OpenTo action="outreach.identity.create">
        <FormStack form={form} label="Set up an identity">
          <Section title="1. Sender" says="The name and address that recipients see.">
            <div className={classes.stack}>
              <div className={classes.pair}>
                <TextInput label="Name" placeholder="Ann Example" autoFocus {...form.text('name')} />
                <TextInput
                  label="Address"
                  description={
                    usable.length
                      ? `On ${usable.slice(0, 4).join(', ')}`
                      : 'Add a sending domain first, under Settings › Domains.'
                  }
                  placeholder="ann@example.com"
                  {...form.text('address')}
                  error={form.errors.address ?? form.errors.domain_id}
                />
              </div>
              <Select
                label="Time zone"
                description="Used for working hours and daily caps."
                searchable
                allowDeselect={false}
                data={zones()}
                value={form.values.timezone}
                error={form.errors.timezone}
                onChange={(zone) => form.set('timezone', zone ?? 'UTC')}
              />
            </div>
          </Section>
          <Section
            title="2. Outgoing mail"
            says="The server that sends the letters. The password is stored encrypted."
          >
            <div className={classes.stack}>
              <TransportFields form={form as unknown as ActForm<TransportValues>} saved={false} />
            </div>
          </Section>
          <FormEnd
            form={form}
            act="Create identity"
            cancel={() => void navigate({ to: '/settings/identities' })}
          />
        </FormStack>
      </OpenTo>
    </Page>
  );
}
