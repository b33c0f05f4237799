// Acts on the people that are chosen in a campaign: held back, released, moved on, taken out. What it begins goes on automatically
// (src/ui/shell/runs.ts).
import { Button, Menu, Modal, TextInput } from '@mantine/core';
import { ChevronDown, Pause, Play, Send, UserMinus } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../../ui/client/call.ts';
import { staleAfter } from '../../../../ui/client/topics.ts';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { many } from '../../../../ui/kit/numbers.ts';
import { useTopmost } from '../../../../ui/kit/topmost.ts';
import { ChosenCount, howMany, sureOfAll, type Chosen } from '../../../../ui/shell/runs-chosen.tsx';
import { start } from '../../../../ui/shell/runs.ts';
import { AGAIN } from '../../sends/screens/shared.ts';
import type { Prospect } from '../contract.ts';
import type { Stage } from '../spine/spine.rules.ts';
import { named, STAGE } from './words.ts';
import classes from './prospects.module.css';

const PEOPLE = ['person', 'people'] as const;

/** Where a person can be moved by hand; the rest come of letters and answers. */
const BY_HAND: Stage[] = ['replied', 'declined', 'positive', 'meeting', 'won', 'unsubscribed'];

type ProspectBulkProps = { chosen: Chosen<Prospect>; known: number | null };

export function ProspectBulk({ chosen, known }: ProspectBulkProps) {
  const [holding, setHolding] = useState(false);
  const whom = howMany(chosen, PEOPLE);
  const failed = chosen.picked.filter(({ failed_send_id }) => failed_send_id !== null);
  const go = (
    title: string,
    act: (prospect: string, gone: AbortSignal, of: Prospect) => Promise<object>,
    records = chosen.picked,
  ): void =>
    void start({
      title,
      of: PEOPLE,
      records,
      about: (one) => ({
        id: one.id,
        name: named(one),
        to: one.person_id ? `/people/${one.person_id}` : `/campaigns/${one.campaign_id}?view=people`,
      }),
      act: async (one, gone) => {
        const answer = await act(one.id, gone, one);
        // A move that cannot happen is no refusal: the answer says what did.
        const not = 'moved' in answer && answer.moved === false && 'sentence' in answer;
        return not ? String(answer.sentence) : null;
      },
      after: () => staleAfter('prospect_hold', ['people']),
    });
  const release = async (): Promise<void> => {
    if (await sureOfAll(chosen, { title: `Release ${whom}?`, act: 'Release' }))
      go('Release', (prospect, gone) => call('prospect_release', { prospect }, gone));
  };
  const sendAgain = async (): Promise<void> => {
    const letters = many(failed.length, 'letter', 'letters');
    if (await confirm(AGAIN.askMany(letters)))
      go(
        AGAIN.act,
        (_, gone, { failed_send_id }) => call('send_resend', { send: failed_send_id ?? '' }, gone),
        failed,
      );
  };
  const remove = async (): Promise<void> => {
    const yes = await confirm({
      title: `Remove ${whom}?`,
      says: 'Their waiting letters are canceled, and they can’t be enrolled in this campaign again. Sent letters stay on record.',
      act: 'Remove',
      tone: 'bad',
    });
    if (!yes) return;
    go('Remove', (prospect, gone) => call('prospect_remove', { prospect }, gone));
    chosen.clear();
  };
  const move = async (stage: Stage): Promise<void> => {
    const title = `Move to ${STAGE[stage].title.toLowerCase()}`;
    if (stage === 'unsubscribed') {
      const says = 'Their addresses are suppressed and get no more letters from any campaign.';
      const ask = { title: `Mark ${whom} as unsubscribed?`, says, act: 'Unsubscribe', tone: 'bad' } as const;
      if (!(await confirm(ask))) return;
    } else if (!(await sureOfAll(chosen, { title: `${title}: ${whom}?`, act: 'Move' }))) return;
    go(title, (prospect, gone) => call('prospect_spine', { prospect, stage }, gone));
  };
  return (
    <>
      {chosen.picked.length > 0 && (
        <div className={classes.bulk} role="region" aria-label="Selected people">
          <ChosenCount chosen={chosen} known={known} />
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
            onClick={() => void release()}
          >
            Release
          </Button>
          {failed.length > 0 && (
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<Send size={14} />}
              onClick={() => void sendAgain()}
            >
              {AGAIN.act}
            </Button>
          )}
          <Menu position="top">
            <Menu.Target>
              <Button variant="default" size="compact-sm" rightSection={<ChevronDown size={14} />}>
                Move to
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
            Remove
          </Button>
          <Button variant="subtle" color="gray" size="compact-sm" onClick={chosen.clear}>
            Clear
          </Button>
        </div>
      )}
      <HoldDialog
        opened={holding}
        whom={whom}
        close={() => setHolding(false)}
        hold={(reason, until) => {
          setHolding(false);
          go('Put on hold', (prospect, gone) =>
            call('prospect_hold', { prospect, reason, ...(until && { until }) }, gone),
          );
        }}
      />
    </>
  );
}

type HoldProps = {
  opened: boolean;
  whom: string;
  close: () => void;
  hold: (reason: string, until: string | null) => void;
};

function HoldDialog({ opened, whom, close, hold }: HoldProps) {
  const topmost = useTopmost(opened);
  const [reason, setReason] = useState('');
  const [until, setUntil] = useState('');
  return (
    <Modal opened={opened} onClose={close} title={`Put ${whom} on hold`} size={440} closeOnEscape={topmost}>
      <form
        className={classes.stack}
        aria-label="Put on hold"
        onSubmit={(event) => {
          event.preventDefault();
          if (reason.trim()) hold(reason.trim(), until ? new Date(`${until}T00:00`).toISOString() : null);
        }}
      >
        <TextInput
          label="Reason"
          required
          data-autofocus
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <TextInput
          label="Until"
          description="Leave empty for a hold without an end date."
          type="date"
          value={until}
          onChange={(event) => setUntil(event.currentTarget.value)}
        />
        <div className={classes.end}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit">Put on hold</Button>
        </div>
      </form>
    </Modal>
  );
}
