// Settings › Instance: what this instance is called, where it is reached, and which version runs.
import type { ReactNode } from 'react';
import { useRead } from '../../../../ui/client/hooks.ts';
import { CopyButton } from '../../../../ui/kit/code-block.tsx';
import { Facts } from '../../../../ui/kit/detail-drawer.tsx';
import { Page, Section } from '../../../../ui/kit/page.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import { MailSection } from '../../instance-mail/screens/shared.ts';
import classes from './settings.module.css';

/** `health`: how it is doing, which its own area says. */
export function InstanceScreen({ health }: { health: ReactNode }) {
  const { data, error, refetch } = useRead('settings_get', {});
  const endpoint = data ? `${data.instance.base_url}/mcp` : '';
  return (
    <Page crumbs={[{ title: 'Settings' }, { title: 'Instance' }]} width="reading">
      {error ? (
        <Trouble error={error} again={() => void refetch()} />
      ) : (
        <Section title="This instance" says="Set by the operator at startup. Changes require a restart.">
          {data ? (
            <Facts
              of={[
                ['Name', data.instance.name],
                ['Address', <Copied key="address" text={data.instance.base_url} label="Copy the address" />],
                ['Tool endpoint', <Copied key="endpoint" text={endpoint} label="Copy the endpoint" />],
                ['Version', data.instance.version],
              ]}
            />
          ) : (
            <Bones lines={4} height={16} />
          )}
        </Section>
      )}
      <MailSection />
      {health}
    </Page>
  );
}

const Copied = ({ text, label }: { text: string; label: string }) => (
  <span className={classes.copied}>
    <code>{text}</code>
    <CopyButton text={text} label={label} />
  </span>
);
