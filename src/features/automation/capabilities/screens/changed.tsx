// Word-by-word difference between the approved and the current description of a tool.
import { useMemo } from 'react';
import { difference } from '../../../outreach/sends/screens/shared.ts';
import type { CapabilityTool } from '../contract.ts';
import { claimsText, schemaText } from './words.ts';
import classes from './capabilities.module.css';

type ChangedProps = { id: string; tool: CapabilityTool; agreed: NonNullable<CapabilityTool['agreed']> };

export function Changed({ id, tool, agreed }: ChangedProps) {
  const parts = [
    ['Description', agreed.says, tool.says],
    ['Hints', claimsText(agreed.hints), claimsText(tool.hints)],
    ['Arguments', schemaText(agreed.schema), schemaText(tool.schema)],
  ] as const;
  return (
    <div id={id} className={classes.changed}>
      {parts.map(([title, before, after]) =>
        title !== 'Description' && before === after ? null : (
          <div key={title}>
            <h3>{title}</h3>
            <Words before={before} after={after} code={title === 'Arguments'} />
          </div>
        ),
      )}
      <p className={classes.legend}>
        <del>Struck through</del>: approved version. <ins>Highlighted</ins>: new version. Select the tool to
        approve the new version.
      </p>
    </div>
  );
}

function Words({ before, after, code }: { before: string; after: string; code: boolean }) {
  const pieces = useMemo(() => difference(before, after), [before, after]);
  if (before === after) return <blockquote className={classes.says}>{after || 'No description.'}</blockquote>;
  return (
    <p className={classes.pieces} data-code={code || undefined} dir={code ? 'ltr' : 'auto'}>
      {pieces.map(({ kind, text }, at) => {
        if (kind === 'same') return <span key={at}>{text}</span>;
        return kind === 'out' ? <del key={at}>{text}</del> : <ins key={at}>{text}</ins>;
      })}
    </p>
  );
}
