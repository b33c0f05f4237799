// One delivery: body, attempts, outcome, and sending it again.
import { useAct } from '../../../../ui/client/hooks.ts';
import { ActButton } from '../../../../ui/kit/act-button.tsx';
import { CodeBlock } from '../../../../ui/kit/code-block.tsx';
import { Facts } from '../../../../ui/kit/detail-drawer.tsx';
import { RecordDrawer } from '../../../../ui/kit/record-drawer.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import { EVENTS } from '../../../../kernel/events.rules.ts';
import type { Delivery } from '../deliveries.contract.ts';
import { STATE, errorInWords } from './words.ts';
import classes from './integrations.module.css';

type DeliveryDrawerProps = { delivery: Delivery | null; on: boolean; onClose: () => void };

export function DeliveryDrawer({ delivery, on, onClose }: DeliveryDrawerProps) {
  return (
    <RecordDrawer
      record={delivery}
      onClose={onClose}
      id={({ id }) => id}
      title={({ event }) => event}
      size={560}
    >
      {(kept) => (
        <>
          <Facts
            of={[
              ['Event', EVENTS[kept.event].title],
              ['Occurred', <Time key="at" at={kept.occurred_at} />],
              ['Delivery ID', <code key="id">{kept.id}</code>],
              [
                'State',
                <Pill key="state" tone={STATE[kept.state].tone}>
                  {STATE[kept.state].title}
                </Pill>,
              ],
              ['Attempts', `${kept.attempts} of 4`],
              ['Last status', kept.last_status ?? 'None'],
              ['Last error', errorInWords(kept) ?? 'None'],
              ['Next attempt', <Time key="next" at={kept.next_attempt_at} none="None" />],
              ['Delivered', <Time key="done" at={kept.delivered_at} none="Not yet" />],
            ]}
          />
          <h3 className={classes.bodyTitle}>Body</h3>
          <CodeBlock text={kept.body} label="event body" wrap />
          <SendAgain delivery={kept} on={on} />
        </>
      )}
    </RecordDrawer>
  );
}

function SendAgain({ delivery, on }: { delivery: Delivery; on: boolean }) {
  const again = useAct('events_redeliver', { says: 'Event queued again.' });
  return (
    <ActButton
      mt={20}
      loading={again.isPending}
      closed={whyNotAgain(delivery, on)}
      onClick={() => again.mutate({ id: delivery.id })}
    >
      Send again
    </ActButton>
  );
}

function whyNotAgain({ state }: Delivery, on: boolean): string | null {
  if (state === 'delivered') return 'Already delivered.';
  if (state === 'pending') return 'This delivery is still being retried.';
  return on ? null : 'Delivery is off. Turn it on first.';
}
