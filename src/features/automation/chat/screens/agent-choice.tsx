// Menu of agents to chat with, and their models.
import { Menu, UnstyledButton } from '@mantine/core';
import { Check, ChevronDown } from 'lucide-react';
import { useRead } from '../../../../ui/client/hooks.ts';
import { Mark } from '../../../../ui/kit/principal.tsx';
import type { Agent } from '../../agents/contract.ts';
import { TitleText } from '../../../../ui/kit/title-text.tsx';
import classes from './chat.module.css';

const NOBODY: Agent[] = [];

export const useAgents = (): Agent[] =>
  useRead('agent_list', { limit: 200 }, { stale_ms: 60_000 }).data?.items ?? NOBODY;

/** Providers are asked which models they have: not more often than this. */
const MODELS_STALE_MS = 300_000;

export const useModels = () => useRead('model_list', {}, { stale_ms: MODELS_STALE_MS });

type AgentChoiceProps = {
  agents: Agent[];
  agent: Agent | undefined;
  /** Of the last turn with this agent. */
  model: string | undefined;
  choose: (id: string) => void;
};

export function AgentChoice({ agents, agent, model, choose }: AgentChoiceProps) {
  const models = useModels().data;
  if (!agent) return null;
  const asks = agent.model ?? model ?? models?.default ?? 'no model available';
  const shown = (
    <>
      <Mark of={{ kind: 'agent', ...agent }} size={18} />
      <span className={classes.agent}>
        <TitleText>{agent.name}</TitleText>
      </span>
      <span className={classes.model} title={asks}>
        {asks}
      </span>
    </>
  );
  if (agents.length < 2) return <span className={classes.choice}>{shown}</span>;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <UnstyledButton className={classes.choice} aria-label={`Agent: ${agent.name}, model ${asks}`}>
          {shown}
          <ChevronDown size={13} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {agents.map((each) => (
          <Menu.Item
            key={each.id}
            leftSection={<Mark of={{ kind: 'agent', ...each }} size={18} />}
            rightSection={each.id === agent.id ? <Check size={14} aria-label="Selected" /> : undefined}
            onClick={() => choose(each.id)}
          >
            <TitleText>{each.name}</TitleText>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
