// Settings › Profile: one's own name, time zone and the project that opens first, and of what one is notified.
import { Select, Switch, TextInput } from '@mantine/core';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { useMe } from '../../../../ui/client/session.ts';
import { Facts } from '../../../../ui/kit/detail-drawer.tsx';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { Page, Section } from '../../../../ui/kit/page.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { choicesOf } from '../../notifications/choices.rules.ts';
import { NoticeFields } from '../../notifications/screens/shared.ts';

const ZONES = Intl.supportedValuesOf('timeZone');

export function ProfileScreen() {
  const me = useMe();
  const projects = useRead('project_list', { limit: 200 }).data?.items ?? [];
  const save = useAct('me_update', { quiet: true, says: 'Profile saved.', touches: ['work'] });
  const form = useActForm(
    {
      name: me.user?.name ?? '',
      timezone: me.user?.timezone ?? null,
      default_project: me.user?.board.default_project ?? null,
    },
    (values) => save.mutateAsync(values),
  );
  return (
    <Page crumbs={[{ title: 'Settings' }, { title: 'Profile' }]} width="reading">
      <Section title="Profile" says="Shown next to your actions and decisions.">
        <div style={{ maxWidth: 420 }}>
          <FormStack form={form} label="Profile">
            <TextInput label="Name" autoComplete="name" {...form.text('name')} />
            <Select
              label="Time zone"
              placeholder="Same as this browser"
              searchable
              clearable
              limit={60}
              data={ZONES}
              value={form.values.timezone}
              onChange={(zone) => form.set('timezone', zone)}
              error={form.errors.timezone}
            />
            <Select
              label="Default project"
              description="The board that opens by default."
              placeholder="First project on your board"
              clearable
              data={projects.map((project) => ({
                value: project.key,
                label: `${project.key}: ${project.name}`,
              }))}
              value={form.values.default_project}
              onChange={(key) => form.set('default_project', key)}
              error={form.errors.default_project}
            />
            <FormEnd form={form} act="Save" />
          </FormStack>
        </div>
      </Section>
      <NotificationSettings />
      <Section title="Permissions" says="Set by administrators under Users and Groups.">
        <Facts
          of={[
            ['Email', me.user?.email ?? ''],
            [
              'Role',
              me.admin ? (
                <Pill key="admin" tone="info">
                  Administrator
                </Pill>
              ) : (
                'Member'
              ),
            ],
            [
              'Policies',
              <span key="policies" style={{ display: 'flex', flexWrap: 'wrap', gap: 4 }}>
                {me.policies.length ? me.policies.map((name) => <Pill key={name}>{name}</Pill>) : 'None'}
              </span>,
            ],
            ['Board', me.user?.board.projects?.join(', ') ?? 'All projects'],
          ]}
        />
      </Section>
    </Page>
  );
}

function NotificationSettings() {
  const me = useMe();
  const save = useAct('me_update', { quiet: true, says: 'Notifications saved.' });
  const form = useActForm(
    {
      mail_approvals: me.user?.mail_approvals ?? false,
      notices: choicesOf(me.user?.notices ?? {}),
    },
    (values) => save.mutateAsync(values),
  );
  return (
    <Section
      title="Notifications"
      says="At most one email every 10 minutes, and only if this instance sends mail."
    >
      <div style={{ maxWidth: 420 }}>
        <FormStack form={form} label="Notifications">
          <NoticeFields values={form.values.notices} change={(notices) => form.set('notices', notices)} />
          <Switch
            label="Email me when approvals are waiting"
            checked={form.values.mail_approvals}
            onChange={(event) => form.set('mail_approvals', event.currentTarget.checked)}
          />
          <FormEnd form={form} act="Save notifications" />
        </FormStack>
      </div>
    </Section>
  );
}
