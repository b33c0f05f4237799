// Page of one tool server: state, the caller’s sign-in, tools and address.
import { Button } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { RefreshCw, Unplug } from 'lucide-react';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { Page, Section } from '../../../../ui/kit/page.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Bones, Empty, Trouble } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { Capability } from '../contract.ts';
import { ServerSection } from './server.tsx';
import { SignInSection } from './sign-in.tsx';
import { Tools } from './tools.tsx';
import { standingOf } from './words.ts';
import classes from './capabilities.module.css';

export function CapabilityScreen() {
  const navigate = useNavigate();
  const { capability: id } = useParams({ from: '/desk/settings/capabilities/$capability' });
  const { data, error, refetch } = useRead('capability_list', { limit: 200 });
  const found = data?.items.find((each) => each.id === id);
  const crumbs = (title: string) =>
    [{ title: 'Settings' }, { title: 'Capabilities', to: '/settings/capabilities' }, { title }] as const;
  if (error && !data) return <Trouble page error={error} again={() => void refetch()} />;
  if (!data)
    return (
      <Page crumbs={[...crumbs('Tool server')]} width="reading">
        <Bones lines={8} />
      </Page>
    );
  if (!found)
    return (
      <Page crumbs={[...crumbs('Tool server')]} width="reading">
        <Empty
          icon={Unplug}
          title="Tool server not found"
          action={
            <Button variant="default" onClick={() => void navigate({ to: '/settings/capabilities' })}>
              All tool servers
            </Button>
          }
        >
          It was removed, or you don’t have access.
        </Empty>
      </Page>
    );
  const { title, tone } = standingOf(found);
  return (
    <Page crumbs={[...crumbs(found.title)]} beside={<Pill tone={tone}>{title}</Pill>} width="reading">
      <div>
        <Standing of={found} />
        <SignInSection of={found} />
        <ToolsSection of={found} />
        <ServerSection key={found.id} of={found} />
      </div>
    </Page>
  );
}

function Standing({ of }: { of: Capability }) {
  const { tone, says } = standingOf(of);
  if (tone === 'good') return null;
  return (
    <p className={classes.standing} data-tone={tone}>
      {says}
      {of.trouble && (
        <>
          {' '}
          Since <Time at={of.trouble.since} />.
        </>
      )}
    </p>
  );
}

function ToolsSection({ of }: { of: Capability }) {
  const refresh = useAct('capability_refresh', {
    says: ({ tools }) =>
      tools.some(({ state }) => state === 'changed')
        ? 'Tools refreshed. Tools whose description changed are off until you approve them again.'
        : 'Tools refreshed. Nothing you approved has changed.',
  });
  return (
    <Section
      title="Tools"
      says="Agents can call the tools you approve. A tool whose description changes is turned off until you approve it again."
      actions={
        <Button
          variant="default"
          leftSection={<RefreshCw size={14} aria-hidden />}
          loading={refresh.isPending}
          onClick={() => refresh.mutate({ capability: of.id })}
        >
          {of.refreshed_at === null ? 'Load tools' : 'Refresh tools'}
        </Button>
      }
    >
      {of.tools.length > 0 ? (
        <Tools of={of} />
      ) : (
        <p className={classes.none}>
          {of.refreshed_at !== null
            ? 'The server offers no usable tools.'
            : of.connection === 'none' || of.connection === 'lost'
              ? 'The server shows its tools after sign-in. Connect first.'
              : 'Tools not loaded yet.'}
        </p>
      )}
    </Section>
  );
}
