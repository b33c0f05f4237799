// One tool of another party: description, arguments, approval, agents that use it and changes. Everything except our labels is
// untrusted text, shown as text.
import { Checkbox } from '@mantine/core';
import { useId } from 'react';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { CapabilityTool } from '../contract.ts';
import { Changed } from './changed.tsx';
import { argumentsOf, claimsOf, schemaText, TOOL } from './words.ts';
import classes from './capabilities.module.css';

type ToolProps = {
  tool: CapabilityTool;
  ticked: boolean;
  tick: (on: boolean) => void;
  /** Names of the agents whose list of tools names it. */
  agents: string[];
};

export function ToolView({ tool, ticked, tick, agents }: ToolProps) {
  const says = useId();
  const { title, tone } = TOOL[tool.state];
  const moved = tool.agreed !== null && tool.state !== 'on' && isOther(tool);
  return (
    <li className={classes.tool} data-tone={tool.state === 'changed' ? 'warn' : undefined}>
      <div className={classes.toolHead}>
        <Checkbox
          checked={ticked}
          onChange={(event) => tick(event.currentTarget.checked)}
          label={<bdi>{tool.name}</bdi>}
          aria-describedby={says}
        />
        <Pill tone={tone}>{title}</Pill>
      </div>
      <div className={classes.toolBody}>
        {moved && tool.agreed ? (
          <Changed id={says} tool={tool} agreed={tool.agreed} />
        ) : (
          <>
            <blockquote id={says} className={classes.says} dir="auto">
              {tool.says || 'No description.'}
            </blockquote>
            <ul className={classes.claims} aria-label="Hints">
              {claimsOf(tool.hints).map((claim) => (
                <li key={claim.says}>
                  <Pill tone={claim.tone}>{claim.says}</Pill>
                </li>
              ))}
            </ul>
          </>
        )}
        <Arguments schema={tool.schema} />
        <p className={classes.by}>
          {tool.agreed && (
            <>
              Approved by {tool.agreed.by}, <Time at={tool.agreed.at} />.{' '}
            </>
          )}
          {agents.length > 0 ? (
            <>
              Used by {agents.join(', ')} as <code>{tool.called}</code>.
            </>
          ) : (
            <>
              No agent uses it yet. Add <code>{tool.called}</code> to an agent’s tools.
            </>
          )}
        </p>
      </div>
    </li>
  );
}

const isOther = ({ says, schema, hints, agreed }: CapabilityTool): boolean =>
  JSON.stringify([says, schema, hints]) !== JSON.stringify([agreed?.says, agreed?.schema, agreed?.hints]);

function Arguments({ schema }: { schema: unknown }) {
  const wants = argumentsOf(schema);
  return (
    <details className={classes.more}>
      <summary>
        {wants.length === 0 ? 'No named arguments' : `Arguments: ${wants.map(({ name }) => name).join(', ')}`}
      </summary>
      {wants.length > 0 && (
        <dl className={classes.arguments}>
          {wants.map(({ name, kind, required, says }) => (
            <div key={name}>
              <dt>
                <bdi>{name}</bdi>
                <span>{[kind, required && 'required'].filter(Boolean).join(', ')}</span>
              </dt>
              <dd dir="auto">{says || 'No description.'}</dd>
            </div>
          ))}
        </dl>
      )}
      <pre className={classes.schema} tabIndex={0} aria-label="Argument schema">
        {schemaText(schema)}
      </pre>
    </details>
  );
}
