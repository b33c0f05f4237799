// Server section: title, address, on or off, limits and removal.
import { Button, NumberInput, PasswordInput, Switch, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useAct } from '../../../../ui/client/hooks.ts';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { Facts } from '../../../../ui/kit/detail-drawer.tsx';
import { FormStack, Refused, useActForm } from '../../../../ui/kit/form.tsx';
import { many } from '../../../../ui/kit/numbers.ts';
import { Section } from '../../../../ui/kit/page.tsx';
import { Principal } from '../../../../ui/kit/principal.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { Capability } from '../contract.ts';
import { LONGEST_DEADLINE_SECONDS, MOST_DAILY_CALLS } from '../limits.rules.ts';
import { Limits } from './limits.tsx';
import classes from './capabilities.module.css';

export function ServerSection({ of }: { of: Capability }) {
  const navigate = useNavigate();
  const turn = useAct('capability_update', {
    says: ({ on, title }) =>
      on ? `${title} turned on.` : `${title} turned off. Agents can’t use its tools.`,
  });
  const remove = useAct('capability_delete', {
    says: `${of.title} removed.`,
    onSuccess: () => void navigate({ to: '/settings/capabilities' }),
  });
  const askRemove = async (): Promise<void> => {
    const yes = await confirm({
      title: `Remove ${of.title}?`,
      says: 'This deletes its tools, your approvals and everyone’s sign-in. Agents can’t use its tools anymore. You can add the server again.',
      act: 'Remove',
      tone: 'bad',
    });
    if (yes) remove.mutate({ capability: of.id });
  };
  return (
    <>
      <Section
        title="Server"
        says="Changing the address signs everyone out and clears all tool approvals."
        actions={
          <Switch
            label="On"
            labelPosition="left"
            checked={of.on}
            disabled={turn.isPending}
            onChange={(event) =>
              turn.mutate({ capability: of.id, revision: of.revision, on: event.currentTarget.checked })
            }
          />
        }
      >
        {/* Its tools are looked at beside it: only another text of the form itself begins it again. */}
        <ServerForm
          key={JSON.stringify([of.title, of.url, of.client_id, of.daily_calls, of.deadline_seconds])}
          of={of}
        />
        <div className={classes.facts}>
          <Facts
            of={[
              ['Tool name prefix', <code key="name">{of.name}__</code>],
              ['Tools last loaded', <Time key="asked" at={of.refreshed_at} />],
              ['Added', <Time key="added" at={of.created_at} />],
              ['Added by', <Principal key="by" of={of.created_by} size={18} />],
            ]}
          />
        </div>
        <Limits />
      </Section>
      <Section
        title="Remove server"
        says="Deletes every sign-in and tool approval."
        actions={
          <Button color="red" variant="light" loading={remove.isPending} onClick={() => void askRemove()}>
            Remove
          </Button>
        }
      />
    </>
  );
}

function ServerForm({ of }: { of: Capability }) {
  const save = useAct('capability_update', { quiet: true, says: 'Server saved.' });
  const form = useActForm(
    {
      title: of.title,
      url: of.url,
      client_id: of.client_id ?? '',
      client_secret: '',
      daily_calls: of.daily_calls as number | string,
      deadline_seconds: of.deadline_seconds as number | string,
    },
    ({ title, url, client_id, client_secret, daily_calls, deadline_seconds }) =>
      save.mutateAsync({
        capability: of.id,
        revision: of.revision,
        ...(title.trim() !== of.title && { title: title.trim() }),
        ...(url.trim() !== of.url && { url: url.trim() }),
        ...(client_id.trim() !== (of.client_id ?? '') && { client_id: client_id.trim() || null }),
        ...(client_secret && { client_secret }),
        ...(daily_calls !== of.daily_calls && { daily_calls: Number(daily_calls) }),
        ...(deadline_seconds !== of.deadline_seconds && { deadline_seconds: Number(deadline_seconds) }),
      }),
  );
  const { values } = form;
  const changed =
    values.title !== of.title ||
    values.url !== of.url ||
    values.client_id !== (of.client_id ?? '') ||
    values.client_secret !== '' ||
    values.daily_calls !== of.daily_calls ||
    values.deadline_seconds !== of.deadline_seconds;
  return (
    <FormStack form={form} label="Tool server">
      <TextInput label="Title" {...form.text('title')} />
      <TextInput label="Address" type="url" autoComplete="off" spellCheck={false} {...form.text('url')} />
      {of.auth === 'oauth' && (
        <details className={classes.more}>
          <summary>{of.client_id === null ? 'The server gave you a client ID' : 'Your client'}</summary>
          <div className={classes.moreFields}>
            <TextInput label="Client ID" autoComplete="off" spellCheck={false} {...form.text('client_id')} />
            <PasswordInput
              label="Client secret"
              description="Stored encrypted. Leave empty to keep the current secret."
              autoComplete="off"
              {...form.text('client_secret')}
            />
          </div>
        </details>
      )}
      <div className={classes.limited}>
        <NumberInput
          label="Calls per day"
          description={`${many(of.calls_today, 'call')} today (UTC). Enter 0 to block all calls.`}
          min={0}
          max={MOST_DAILY_CALLS}
          allowDecimal={false}
          thousandSeparator=","
          value={values.daily_calls}
          onChange={(typed) => form.set('daily_calls', typed)}
          error={form.errors.daily_calls}
        />
        <NumberInput
          label="Timeout in seconds"
          description={`At most ${LONGEST_DEADLINE_SECONDS}. Later responses are ignored.`}
          min={1}
          max={LONGEST_DEADLINE_SECONDS}
          allowDecimal={false}
          value={values.deadline_seconds}
          onChange={(typed) => form.set('deadline_seconds', typed)}
          error={form.errors.deadline_seconds}
        />
      </div>
      <Refused error={form.trouble} />
      <div className={classes.save}>
        <Button
          type="submit"
          variant="default"
          loading={form.busy}
          disabled={!changed || values.daily_calls === '' || values.deadline_seconds === ''}
        >
          Save
        </Button>
      </div>
    </FormStack>
  );
}
