// Acts on the people that are selected in a campaign: held back, released, moved on, taken out; one call for each, a few at a
// time, with how far it is and what did not work.
import { Button, Menu, Modal, Progress, TextInput } from '@mantine/core';
import { ChevronDown, Pause, Play, UserMinus } from 'lucide-react';
import { useRef, useState } from 'react';
import { ApiError, call } from '../../../ui/client/call.ts';
import { staleAfter } from '../../../ui/client/topics.ts';
import { tell } from '../../../ui/client/toast.ts';
import { confirm } from '../../../ui/kit/confirm.ts';
import { useTopmost } from '../../../ui/kit/topmost.ts';
import { counted } from '../../campaigns/screens/words.ts';
import type { Prospect } from '../contract.ts';
import type { Stage } from '../spine.rules.ts';
import { named, STAGE } from './words.ts';
import classes from './prospects.module.css';

type Run = { title: string; total: number; done: number; failed: string[]; over: boolean };
const AT_ONCE = 3;

function useRun() {
  const [run, setRun] = useState<Run | null>(null);
  const halted = useRef(false);
  const start = async (
    title: string,
    people: Prospect[],
    act: (one: Prospect) => Promise<object>,
  ): Promise<void> => {
    halted.current = false;
    let state: Run = { title, total: people.length, done: 0, failed: [], over: false };
    const show = (next: Partial<Run>): void => setRun((state = { ...state, ...next }));
    show({});
    const left = [...people];
    const worker = async (): Promise<void> => {
      for (let one = left.shift(); one && !halted.current; one = left.shift()) {
        try {
          const answer = await act(one);
          // A move that cannot happen is no refusal: the answer says what did.
          if ('moved' in answer && answer.moved === false && 'sentence' in answer)
            show({ failed: [...state.failed, `${named(one)}: ${String(answer.sentence)}`] });
          else show({ done: state.done + 1 });
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          show({ failed: [...state.failed, `${named(one)}: ${error.sentence}`] });
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    await staleAfter('prospect_hold', ['people']);
    if (state.failed.length === 0 && !halted.current) {
      tell(`${title}: ${counted(state.done, 'person', 'people')}.`);
      setRun(null);
    } else show({ over: true });
  };
  return { run, start, stop: () => void (halted.current = true), close: () => setRun(null) };
}

/** Where a person can be moved by hand; the rest come of letters and answers. */
const BY_HAND: Stage[] = ['replied', 'declined', 'positive', 'meeting', 'won', 'unsubscribed'];

export function ProspectBulk({ people, clear }: { people: Prospect[]; clear: () => void }) {
  const { run, start, stop, close } = useRun();
  const [holding, setHolding] = useState(false);
  const count = people.length;
  const remove = async (): Promise<void> => {
    const yes = await confirm({
      title: `Take ${counted(count, 'person', 'people')} out?`,
      says: 'Their letters that have not started are cancelled, and they cannot be enrolled here again. What was sent stays on record.',
      act: 'Take out',
      tone: 'bad',
    });
    if (yes) await start('Taken out', people, ({ id }) => call('prospect_remove', { prospect: id }));
  };
  const move = async (stage: Stage): Promise<void> => {
    if (stage === 'unsubscribed') {
      const says = 'They are suppressed too: nobody of this product writes to their addresses again.';
      if (!(await confirm({ title: 'Mark as unsubscribed?', says, act: 'Unsubscribe', tone: 'bad' }))) return;
    }
    await start(`Moved to ${STAGE[stage].title.toLowerCase()}`, people, ({ id }) =>
      call('prospect_spine', { prospect: id, stage }),
    );
  };
  return (
    <>
      {count > 0 && (
        <div className={classes.bulk} role="region" aria-label="Selected people">
          <span>{counted(count, 'person', 'people')} selected</span>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<Pause size={14} />}
            onClick={() => setHolding(true)}
          >
            Hold
          </Button>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<Play size={14} />}
            onClick={() =>
              void start('Released', people, ({ id }) => call('prospect_release', { prospect: id }))
            }
          >
            Release
          </Button>
          <Menu position="top">
            <Menu.Target>
              <Button variant="default" size="compact-sm" rightSection={<ChevronDown size={14} />}>
                Move on
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {BY_HAND.map((stage) => (
                <Menu.Item key={stage} onClick={() => void move(stage)}>
                  {STAGE[stage].title}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<UserMinus size={14} />}
            onClick={() => void remove()}
          >
            Take out
          </Button>
          <Button variant="subtle" color="gray" size="compact-sm" onClick={clear}>
            Clear
          </Button>
        </div>
      )}
      <HoldDialog
        opened={holding}
        count={count}
        close={() => setHolding(false)}
        hold={(reason, until) => {
          setHolding(false);
          void start('Held back', people, ({ id }) =>
            call('prospect_hold', { prospect: id, reason, ...(until && { until }) }),
          );
        }}
      />
      <RunDialog run={run} stop={stop} close={close} />
    </>
  );
}

type HoldProps = {
  opened: boolean;
  count: number;
  close: () => void;
  hold: (reason: string, until: string | null) => void;
};

function HoldDialog({ opened, count, close, hold }: HoldProps) {
  const topmost = useTopmost(opened);
  const [reason, setReason] = useState('');
  const [until, setUntil] = useState('');
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={`Hold ${counted(count, 'person', 'people')} back`}
      size={440}
      closeOnEscape={topmost}
    >
      <form
        className={classes.stack}
        aria-label="Hold back"
        onSubmit={(event) => {
          event.preventDefault();
          if (reason.trim()) hold(reason.trim(), until ? new Date(`${until}T00:00`).toISOString() : null);
        }}
      >
        <TextInput
          label="Why"
          required
          data-autofocus
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <TextInput
          label="Until"
          description="Empty: until somebody releases them."
          type="date"
          value={until}
          onChange={(event) => setUntil(event.currentTarget.value)}
        />
        <div className={classes.end}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit">Hold back</Button>
        </div>
      </form>
    </Modal>
  );
}

function RunDialog({ run, stop, close }: { run: Run | null; stop: () => void; close: () => void }) {
  if (!run) return null;
  const { title, total, done, failed, over } = run;
  return (
    <Modal opened onClose={over ? close : stop} title={title} size={460} withCloseButton={over}>
      <div className={classes.stack}>
        <Progress value={((done + failed.length) / total) * 100} aria-label={title} />
        <p role="status">
          {done} of {total} done{failed.length > 0 && `, ${failed.length} not`}.
        </p>
        {failed.length > 0 && (
          <ul className={classes.refused}>
            {failed.slice(0, 50).map((says) => (
              <li key={says}>{says}</li>
            ))}
          </ul>
        )}
        <div className={classes.end}>
          <Button variant="default" onClick={over ? close : stop}>
            {over ? 'Close' : 'Stop'}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
