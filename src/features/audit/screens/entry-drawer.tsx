// One entry of the audit log, whole.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { CopyButton } from '../../../ui/kit/code-block.tsx';
import { DetailDrawer, Facts } from '../../../ui/kit/detail-drawer.tsx';
import { Pill } from '../../../ui/kit/pills.tsx';
import { Principal } from '../../../ui/kit/principal.tsx';
import { exact } from '../../../ui/kit/time.tsx';
import type { AuditEntry } from '../contract.ts';
import { OUTCOME, SURFACE, words } from './words.ts';
import classes from './activity.module.css';

type EntryDrawerProps = { entry: AuditEntry | null; onClose: () => void; onActor: (id: string) => void };

export function EntryDrawer({ entry, onClose, onActor }: EntryDrawerProps) {
  // The last one stays in sight while the drawer closes.
  const [shown, setShown] = useState(entry);
  if (entry && entry !== shown) setShown(entry);
  return (
    <DetailDrawer title={shown && words(shown.act)} opened={entry !== null} onClose={onClose}>
      {shown && (
        <>
          {shown.sentence && (
            <p className={classes.refusal} data-outcome={shown.outcome}>
              {shown.sentence}
            </p>
          )}
          <Facts
            of={[
              [
                'Outcome',
                <Pill key="outcome" tone={OUTCOME[shown.outcome].tone}>
                  {OUTCOME[shown.outcome].title}
                </Pill>,
              ],
              ['When', exact(shown.at)],
              ['Who', <Principal key="who" of={shown.principal} size={18} />],
              [
                'On behalf of',
                shown.on_behalf_of ? (
                  <Principal key="behalf" of={shown.on_behalf_of} size={18} />
                ) : (
                  'Nobody else'
                ),
              ],
              ['Token', shown.token?.name ?? 'None'],
              ['Road', SURFACE[shown.surface] ?? shown.surface],
              [
                'Turn',
                shown.turn === 'agent' ? (
                  <Pill key="turn" tone="agent">
                    agent’s turn
                  </Pill>
                ) : (
                  'Direct'
                ),
              ],
              ['Act', <code key="act">{shown.act}</code>],
              ['On', shown.resource ? <code key="on">{shown.resource}</code> : 'Nothing named'],
              ['Code', shown.code ? <code key="code">{shown.code}</code> : 'None'],
              [
                'Request',
                <span key="request" className={classes.request}>
                  <code>{shown.request_id}</code>
                  <CopyButton text={shown.request_id} label="Copy the request id" />
                </span>,
              ],
            ]}
          />
          <Button variant="default" mt={20} onClick={() => onActor(shown.principal.id)}>
            Only {shown.principal.name}
          </Button>
        </>
      )}
    </DetailDrawer>
  );
}
