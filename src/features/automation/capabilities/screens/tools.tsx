// List of tools to approve. Approving sends the exact descriptions shown; one that changed meanwhile is refused.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { Refused } from '../../../../ui/kit/form.tsx';
import type { Capability, CapabilityTool } from '../contract.ts';
import { ToolView } from './tool.tsx';
import classes from './capabilities.module.css';

export function Tools({ of }: { of: Capability }) {
  const [ticks, setTicks] = useState<ReadonlyMap<string, { hash: string; on: boolean }>>(new Map());
  const agents = useRead('agent_list', { limit: 200 }).data?.items ?? [];
  const agree = useAct('capability_consent', {
    quiet: true,
    says: ({ tools }) => {
      const on = tools.filter(({ state }) => state === 'on').length;
      return on === 0
        ? 'Saved. Agents can’t call any of its tools.'
        : `Saved. Agents can call ${on} ${on === 1 ? 'tool' : 'tools'}.`;
    },
    onSuccess: () => setTicks(new Map()),
  });
  const ticked = ({ name, hash, state }: CapabilityTool): boolean => {
    const tick = ticks.get(name);
    return tick?.hash === hash ? tick.on : state === 'on';
  };
  const moved = of.tools.filter((tool) => ticked(tool) !== (tool.state === 'on'));
  const coming = moved.filter(ticked).length;
  const going = moved.length - coming;
  // What changed or is new comes first: it asks to be read.
  const order = { changed: 0, new: 1, on: 2, off: 3 };
  const tools = [...of.tools].sort((a, b) => order[a.state] - order[b.state]);
  return (
    <form
      aria-label="Tools agents can call"
      onSubmit={(event) => {
        event.preventDefault();
        if (agree.isPending) return;
        const on = of.tools.filter(ticked).map(({ name, hash }) => ({ name, hash }));
        agree.mutate({ capability: of.id, tools: on });
      }}
    >
      <ul className={classes.tools} aria-label="Tools">
        {tools.map((tool) => (
          <ToolView
            key={tool.name}
            tool={tool}
            ticked={ticked(tool)}
            tick={(on) => setTicks(new Map(ticks).set(tool.name, { hash: tool.hash, on }))}
            agents={agents.filter(({ tools: named }) => named?.includes(tool.called)).map(({ name }) => name)}
          />
        ))}
      </ul>
      <Refused error={agree.error} />
      <div className={classes.agree} data-moved={moved.length > 0 || undefined}>
        <span role="status">{sayMoved(coming, going)}</span>
        {moved.length > 0 && (
          <Button variant="default" onClick={() => setTicks(new Map())}>
            Undo
          </Button>
        )}
        <Button type="submit" loading={agree.isPending} disabled={moved.length === 0}>
          {coming > 0 ? 'Approve selected tools' : 'Save'}
        </Button>
      </div>
    </form>
  );
}

function sayMoved(coming: number, going: number): string {
  const parts = [
    coming > 0 && `${coming} ${coming === 1 ? 'tool' : 'tools'} to turn on`,
    going > 0 && `${going} to turn off`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(', ') : 'Select the tools agents can call.';
}
