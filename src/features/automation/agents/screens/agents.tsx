// Settings › Agents & models: agents, models and token budgets.
import { Button } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { usePages } from '../../../../ui/client/hooks.ts';
import { useMe } from '../../../../ui/client/session.ts';
import { useKeys } from '../../../../ui/kit/keys.ts';
import { later } from '../../../../ui/kit/later.tsx';
import { Page, Section } from '../../../../ui/kit/page.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Mark } from '../../../../ui/kit/principal.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import { mayAdminister } from '../../../../ui/shell/places.ts';
import type { Agent } from '../contract.ts';
import { Budgets } from './budgets.tsx';
import { Models } from './models.tsx';
import classes from './agents.module.css';

const AgentDrawer = later(
  () => import('./agent-drawer.tsx').then((m) => m.AgentDrawer),
  ({ opened }) => opened,
);

export function AgentsScreen() {
  const search = useSearch({ from: '/desk/settings/agents' });
  const navigate = useNavigate({ from: '/settings/agents' });
  const edits = mayAdminister(useMe());
  const pages = usePages('agent_list', { limit: 100 });
  const show = (open: string | undefined): void =>
    void navigate({ search: (before) => ({ ...before, open }), replace: true });
  const agent = pages.rows.find(({ id }) => id === search.open) ?? null;
  useKeys([{ keys: 'n', does: 'New agent', group: 'Agents', run: () => show('new') }], edits);
  return (
    <Page
      crumbs={[{ title: 'Settings' }, { title: 'Agents & models' }]}
      width="reading"
      actions={
        edits && (
          <Button leftSection={<Plus size={15} />} onClick={() => show('new')}>
            New agent
          </Button>
        )
      }
    >
      <Section
        title="Agents"
        says="An agent acts with the permissions of the person who chats with it. Actions that can’t be undone need approval."
      >
        {pages.error && pages.rows.length === 0 ? (
          <Trouble subject error={pages.error} again={pages.again} />
        ) : pages.pending ? (
          <Bones lines={3} height={32} />
        ) : (
          <ul className={classes.rows} aria-label="Agents">
            {pages.rows.map((each) => (
              <li key={each.id}>
                <AgentRow agent={each} open={() => show(each.id)} />
              </li>
            ))}
          </ul>
        )}
        {pages.more && (
          <Button variant="subtle" color="gray" onClick={pages.more}>
            Load more
          </Button>
        )}
      </Section>
      <Models />
      <Budgets edits={edits} />
      <AgentDrawer
        agent={agent}
        edits={edits}
        opened={(search.open === 'new' && edits) || agent !== null}
        onClose={() => show(undefined)}
      />
    </Page>
  );
}

function AgentRow({ agent, open }: { agent: Agent; open: () => void }) {
  const { name, instructions, tools, model, built_in } = agent;
  const tooled = tools === null ? 'all tools' : tools.length === 1 ? '1 tool' : `${tools.length} tools`;
  return (
    <button type="button" className={classes.row} onClick={open}>
      <Mark of={{ kind: 'agent', ...agent }} size={28} />
      <span className={classes.main}>
        <span className={classes.name}>
          <bdi>{name}</bdi> {built_in && <Pill>Built in</Pill>}
        </span>
        <span className={classes.told}>{instructions || 'No extra instructions.'}</span>
      </span>
      <span className={classes.facts}>
        <span>{model ?? 'Default model'}</span>
        <span>{tooled}</span>
      </span>
    </button>
  );
}
