// What differs between two versions, line by line.
import type { WorkflowChange } from './changes.rules.ts';
import classes from './workflow.module.css';

export function Changes({ of, none }: { of: WorkflowChange[]; none: string }) {
  if (of.length === 0) return <p className={classes.says}>{none}</p>;
  return (
    <ul className={classes.changes}>
      {of.map(({ what, from, to }) => (
        <li key={`${what} ${to ?? ''}`}>
          {what}
          {to !== undefined && (
            <>
              {': '}
              <del>{from}</del> <ins>{to}</ins>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
