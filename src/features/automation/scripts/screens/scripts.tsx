// Scripts console: a Lua script, its result, and the operations it may call.
import { Button } from '@mantine/core';
import { Play } from 'lucide-react';
import { useState } from 'react';
import type { Answer, ApiError } from '../../../../ui/client/call.ts';
import { useAct } from '../../../../ui/client/hooks.ts';
import { Refused } from '../../../../ui/kit/form.tsx';
import { KeyHint } from '../../../../ui/kit/key-hint.tsx';
import { Page } from '../../../../ui/kit/page.tsx';
import { Pill, type Tone } from '../../../../ui/kit/pills.tsx';
import { CodeArea } from './code-area.tsx';
import { luaCall } from './lua.rules.ts';
import { Operations } from './operations.tsx';
import classes from './scripts.module.css';

const FIRST = `-- Calls run with your permissions and are recorded in the activity.
local people = dunnock.call("person_list", { limit = 5 })
for _, person in ipairs(people.items) do
  print(person.name)
end
return #people.items
`;

type Ran = { answer: Answer<'script_run'>; took_ms: number };

export function ScriptsScreen() {
  const [script, setScript] = useState(FIRST);
  const [ran, setRan] = useState<Ran | null>(null);
  const [refused, setRefused] = useState<ApiError | null>(null);
  const act = useAct('script_run', { quiet: true });
  const run = async (): Promise<void> => {
    if (act.isPending || script.trim() === '') return;
    setRefused(null);
    const began = performance.now();
    try {
      const answer = await act.mutateAsync({ script });
      setRan({ answer, took_ms: performance.now() - began });
    } catch (error) {
      setRan(null);
      if ((error as ApiError).code !== 'given_up') setRefused(error as ApiError);
    }
  };
  const put = (name: string, example: Record<string, unknown>): void => {
    const before = script.trimEnd();
    setScript(`${before}${before ? '\n\n' : ''}${luaCall(name, example)}\n`);
  };
  return (
    <Page
      crumbs={[{ title: 'Settings' }, { title: 'Scripts' }]}
      actions={
        <Button leftSection={<Play size={15} />} loading={act.isPending} onClick={() => void run()}>
          Run
        </Button>
      }
    >
      <div className={classes.console}>
        <div className={classes.left}>
          <p className={classes.says}>
            A script runs operations one after another with your permissions, except those that can’t be
            undone. Limits: 25 seconds and 200 calls. Agents need a token with the <strong>scripts</strong>{' '}
            scope.
          </p>
          <CodeArea label="Lua script" value={script} onChange={setScript} run={() => void run()} />
          <p className={classes.hint}>
            <KeyHint keys="mod+Enter" /> to run
          </p>
          <Refused error={refused} />
          {refused?.code === 'scripts_required' || refused?.code === 'policy_denied' ? (
            <p className={classes.says}>
              You need the <code>admin.script.run</code> permission. An administrator can grant it in Settings
              → Policies.
            </p>
          ) : null}
          <div role="status" aria-label="Result">
            {ran && <Outcome {...ran} />}
          </div>
        </div>
        <Operations put={put} />
      </div>
    </Page>
  );
}

const ENDED: Record<Ran['answer']['state'], { title: string; tone: Tone }> = {
  finished: { title: 'Finished', tone: 'good' },
  failed: { title: 'Failed', tone: 'bad' },
  stopped: { title: 'Stopped', tone: 'warn' },
};

function Outcome({ answer, took_ms }: Ran) {
  const { state, result, error, output, output_cut, calls } = answer;
  const { title, tone } = ENDED[state];
  return (
    <div className={classes.outcome}>
      <p className={classes.line}>
        <Pill tone={tone}>{title}</Pill>
        <span>
          {(took_ms / 1_000).toFixed(1)} s, {calls} {calls === 1 ? 'call' : 'calls'}
        </span>
      </p>
      {error !== null && <p className={classes.error}>{error}</p>}
      {output !== '' && (
        <section>
          <h2>Output</h2>
          <pre tabIndex={0} aria-label="Output">
            {output}
          </pre>
          {output_cut && <p className={classes.says}>Output truncated.</p>}
        </section>
      )}
      {state === 'finished' && (
        <section>
          <h2>Returned</h2>
          <pre tabIndex={0} aria-label="Returned">
            {typeof result === 'string' ? result : JSON.stringify(result ?? null, null, 2)}
          </pre>
        </section>
      )}
    </div>
  );
}
