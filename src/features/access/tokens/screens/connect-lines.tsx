// The copyable lines for each client, with the token in them while it is known.
import { Tabs } from '@mantine/core';
import { useRead } from '../../../../ui/client/hooks.ts';
import { CodeBlock } from '../../../../ui/kit/code-block.tsx';
import { clients } from './clients.ts';
import classes from './tokens.module.css';

/** What represents a token that is not known (any more). */
const UNKNOWN = '<ACCESS_TOKEN>';

export function ConnectLines({ value = UNKNOWN }: { value?: string }) {
  const settings = useRead('settings_get', {}).data;
  const list = clients(`${settings?.instance.base_url ?? location.origin}/mcp`, value);
  return (
    <div>
      <Tabs
        defaultValue={list[0]?.id ?? null}
        variant="pills"
        classNames={{ list: classes.tabs ?? '', tab: classes.tab ?? '' }}
      >
        <Tabs.List aria-label="Clients">
          {list.map((client) => (
            <Tabs.Tab key={client.id} value={client.id}>
              {client.title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {list.map((client) => (
          <Tabs.Panel key={client.id} value={client.id}>
            <p className={classes.lineSays}>
              {client.says} {client.file && <code>{client.file}</code>}
            </p>
            <CodeBlock
              text={client.text}
              label={`${client.title} configuration`}
              wrap={client.id === 'claude-code'}
            />
            {client.after && <p className={classes.lineThen}>{client.after}</p>}
          </Tabs.Panel>
        ))}
      </Tabs>
      <p className={classes.note}>
        Leave OAuth off in the client: this endpoint accepts only a static bearer token. If a client opens a
        browser to sign in, it didn’t send the header.
      </p>
    </div>
  );
}
