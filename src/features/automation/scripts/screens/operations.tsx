// Searchable list of operations a script may call, with arguments and an example to insert.
import { Button, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { usePages } from '../../../../ui/client/hooks.ts';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import type { ScriptOperation } from '../contract.ts';
import { luaCall } from './lua.rules.ts';
import classes from './scripts.module.css';

type Put = (name: string, example: Record<string, unknown>) => void;

const PAUSE_MS = 150;

export function Operations({ put }: { put: Put }) {
  const [words, setWords] = useState('');
  const [query] = useDebouncedValue(words.trim().slice(0, 200), PAUSE_MS);
  const pages = usePages('script_operations', query ? { query, limit: 40 } : { limit: 40 });
  return (
    <aside className={classes.operations} aria-label="Operations">
      <h2>Operations</h2>
      <TextInput
        type="search"
        aria-label="Find an operation"
        placeholder="person, campaign, card…"
        leftSection={<Search size={14} />}
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
      />
      {pages.error ? (
        <Trouble error={pages.error} again={pages.again} />
      ) : pages.pending ? (
        <Bones lines={8} height={18} />
      ) : pages.rows.length === 0 ? (
        <p className={classes.says}>No matching operations. Actions reserved for people aren’t listed.</p>
      ) : (
        <ul aria-label="Operations found">
          {pages.rows.map((operation) => (
            <li key={operation.name}>
              <One operation={operation} put={put} />
            </li>
          ))}
        </ul>
      )}
      {pages.more && (
        <Button variant="subtle" color="gray" size="compact-sm" onClick={pages.more}>
          More
        </Button>
      )}
    </aside>
  );
}

function One({ operation, put }: { operation: ScriptOperation; put: Put }) {
  const { name, says, effect, wire, arguments: takes, example } = operation;
  return (
    <details>
      <summary>
        <code>{name}</code>
        {effect !== 'read' && <Pill tone={effect === 'destroy' ? 'bad' : 'info'}>{effect}s</Pill>}
        {wire && (
          <Pill tone="warn" title="Can’t be undone. Scripts that run here can’t call this.">
            wire
          </Pill>
        )}
      </summary>
      <div className={classes.about}>
        <p>{says}</p>
        {wire && (
          <p className={classes.says}>
            Can’t be undone. Only scripts run with a wire-scoped token can call this.
          </p>
        )}
        {takes.length > 0 && (
          <dl>
            {takes.map(({ name: key, type, required }) => (
              <div key={key}>
                <dt>
                  <code>{key}</code>
                  {required && <span> required</span>}
                </dt>
                <dd>{type}</dd>
              </div>
            ))}
          </dl>
        )}
        <pre tabIndex={0} aria-label={`Example of ${name}`}>
          {luaCall(name, example)}
        </pre>
        <Button size="compact-sm" variant="default" onClick={() => put(name, example)}>
          Insert into script
        </Button>
      </div>
    </details>
  );
}
