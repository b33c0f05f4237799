// One line of the activity, whole: an act, or the reads that it represents.
import { Button } from '@mantine/core';
import { CopyButton } from '../../../../ui/kit/code-block.tsx';
import { Facts } from '../../../../ui/kit/detail-drawer.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { RecordDrawer } from '../../../../ui/kit/record-drawer.tsx';
import { Principal } from '../../../../ui/kit/principal.tsx';
import { exact, Time } from '../../../../ui/kit/time.tsx';
import { About, readWords } from './cells.tsx';
import type { Line } from './lines.rules.ts';
import { OUTCOME, outcomeOf, SURFACE, words } from './words.ts';
import classes from './activity.module.css';

type EntryDrawerProps = { line: Line | null; onClose: () => void; onActor: (id: string) => void };

export const EntryDrawer = ({ line, onClose, onActor }: EntryDrawerProps) => (
  <RecordDrawer
    record={line}
    onClose={onClose}
    id={({ entries }) => entries[0]?.id ?? ''}
    title={({ reads, entries }) => (reads > 0 ? readWords(entries) : words(entries[0]?.act ?? ''))}
  >
    {(one) => <Entry line={one} onActor={onActor} />}
  </RecordDrawer>
);

function Entry({ line, onActor }: { line: Line; onActor: (id: string) => void }) {
  const [shown] = line.entries;
  if (!shown) return null;
  return (
    <>
      {shown.sentence && (
        <p className={classes.refusal} data-outcome={shown.outcome}>
          {shown.sentence}
          {shown.count > 1 && ` (${shown.count} times in a minute)`}
        </p>
      )}
      {line.reads > 0 && (
        <ul className={classes.reads} aria-label="Records read">
          {line.entries.map((entry) => (
            <li key={entry.id}>
              <span>{words(entry.act)}</span>
              <About of={entry} />
              {entry.count > 1 && <span>{entry.count} times</span>}
              <Time at={entry.until} />
            </li>
          ))}
        </ul>
      )}
      <Facts
        of={[
          [
            'Outcome',
            <Pill key="outcome" tone={OUTCOME[outcomeOf(shown)].tone}>
              {OUTCOME[outcomeOf(shown)].title}
            </Pill>,
          ],
          ['When', exact(shown.at)],
          ['Who', <Principal key="who" of={shown.principal} size={18} />],
          [
            'On behalf of',
            shown.on_behalf_of ? <Principal key="behalf" of={shown.on_behalf_of} size={18} /> : 'No one',
          ],
          ['Token', shown.token?.name ?? 'None'],
          ['Source', SURFACE[shown.surface] ?? shown.surface],
          [
            'Turn',
            shown.turn === 'agent' ? (
              <Pill key="turn" tone="agent">
                Agent turn
              </Pill>
            ) : (
              'Direct'
            ),
          ],
          ['Act', <code key="act">{shown.act}</code>],
          ['About', shown.record ? <About key="about" of={shown} /> : 'Not recorded'],
          ['Resource', shown.resource ? <code key="on">{shown.resource}</code> : 'Not recorded'],
          ['Code', shown.code ? <code key="code">{shown.code}</code> : 'None'],
          [
            'Request',
            <span key="request" className={classes.request}>
              <code>{shown.request_id}</code>
              <CopyButton text={shown.request_id} label="Copy request ID" />
            </span>,
          ],
        ]}
      />
      <Button variant="default" mt={20} onClick={() => onActor(shown.principal.id)}>
        Show only {shown.principal.name}
      </Button>
    </>
  );
}
