// One suppression: what it is for, who made it and why, what else is on the same value, and lifting it.
import { Button } from '@mantine/core';
import { Facts } from '../../../../ui/kit/detail-drawer.tsx';
import { RecordDrawer } from '../../../../ui/kit/record-drawer.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Principal } from '../../../../ui/kit/principal.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { Suppression } from '../contract.ts';
import { useLift } from './lift.ts';
import { named, REASON, STATE, whoMayLift } from './words.ts';
import classes from './suppressions.module.css';

const SOURCE: Record<Suppression['source'], string> = {
  touch: 'A message they sent',
  send: 'A letter that bounced',
  person: 'Added here',
  import: 'An import',
  vendor: 'A mail vendor’s webhook event',
};

export function SuppressionDrawer({ row, onClose }: { row: Suppression | null; onClose: () => void }) {
  const lift = useLift(onClose);
  return (
    <RecordDrawer record={row} onClose={onClose} id={({ id }) => id} title={named}>
      {(shown) => (
        <>
          <Facts
            of={[
              [
                'State',
                <Pill key="s" tone={STATE[shown.state].tone}>
                  {STATE[shown.state].title}
                </Pill>,
              ],
              ['Applies to', shown.kind === 'domain' ? 'All addresses at the domain' : 'This address'],
              ['Reason', `${REASON[shown.reason].title}. ${REASON[shown.reason].why}`],
              ['Source', SOURCE[shown.source]],
              [
                'Added by',
                <Principal key="c" of={shown.created_by} behalf={shown.created_by.on_behalf_of ?? null} />,
              ],
              ['Since', <Time key="a" at={shown.created_at} />],
              ['Ends', shown.expires_at ? <Time key="e" at={shown.expires_at} /> : 'Never'],
              ...(shown.lifted_by
                ? ([
                    ['Lifted by', <Principal key="l" of={shown.lifted_by} />],
                    ['Lifted', <Time key="t" at={shown.lifted_at} />],
                  ] as [string, React.ReactNode][])
                : []),
              [
                'Note',
                shown.note ?? (
                  <span key="n" className={classes.none}>
                    None
                  </span>
                ),
              ],
            ]}
          />
          {shown.value === null && (
            <p className={classes.says}>
              This person was erased. Dunnock no longer stores the address but still blocks letters to it.
            </p>
          )}
          {shown.state === 'standing' && (
            <div className={classes.end}>
              <p className={classes.says}>{whoMayLift(shown.reason)}</p>
              <Button color="red" variant="light" loading={lift.busy} onClick={() => void lift.ask(shown)}>
                Lift
              </Button>
            </div>
          )}
        </>
      )}
    </RecordDrawer>
  );
}
