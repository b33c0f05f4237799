// Enrolling people: a segment or people by name, looked at first without writing anything: how many would be in, who is refused
// and why. Only what was looked at can be enrolled.
import { counted, many } from '../../../../ui/kit/numbers.ts';
import { Button, Modal, SegmentedControl, Select } from '@mantine/core';
import { X } from 'lucide-react';
import { useRef, useState } from 'react';
import type { ApiError } from '../../../../ui/client/call.ts';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { ActButton } from '../../../../ui/kit/act-button.tsx';
import { Refused } from '../../../../ui/kit/form.tsx';
import { useTopmost } from '../../../../ui/kit/topmost.ts';
import type { Campaign } from '../../campaigns/contract.ts';
import { RecordSelect } from '../../../../ui/kit/record-select.tsx';
import type { Enrolment, RefusedWhy } from '../enrol.contract.ts';
import { REFUSED } from './words.ts';
import classes from './prospects.module.css';

type EnrolProps = { opened: boolean; campaign: Campaign; close: () => void };

export function Enrol({ opened, campaign, close }: EnrolProps) {
  const topmost = useTopmost(opened);
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={`Enrol people in ${campaign.name}`}
      size={560}
      closeOnEscape={topmost}
    >
      <EnrolForm campaign={campaign} close={close} />
    </Modal>
  );
}

function EnrolForm({ campaign, close }: Omit<EnrolProps, 'opened'>) {
  const [by, setBy] = useState<'segment' | 'people'>('segment');
  const [segment, setSegment] = useState<string | null>(null);
  const [people, setPeople] = useState<string[]>([]);
  const [plan, setPlan] = useState<Enrolment | null>(null);
  const [refused, setRefused] = useState<ApiError | null>(null);
  const segments = useRead('segment_list', { limit: 200 }, { stale_ms: 30_000 }).data?.items ?? [];
  const whom = by === 'segment' ? (segment ? { segment } : null) : people.length > 0 ? { people } : null;

  // Another choice is another plan.
  const anew = (): void => {
    setPlan(null);
    setRefused(null);
  };
  const look = useAct('campaign_enrol', { quiet: true, onSuccess: setPlan, onError: setRefused });
  const enrol = useAct('campaign_enrol', {
    quiet: true,
    says: ({ enrolled, sentence }) => `${many(enrolled, 'person is', 'people are')} enrolled. ${sentence}`,
    onSuccess: close,
    onError: setRefused,
    touches: ['campaigns', 'people'],
  });
  const run = (dry_run: boolean): void => {
    setRefused(null);
    if (whom) (dry_run ? look : enrol).mutate({ campaign: campaign.id, ...whom, dry_run });
  };

  return (
    <form
      className={classes.stack}
      aria-label="Enrol people"
      onSubmit={(event) => {
        event.preventDefault();
        if (!plan) run(true);
      }}
    >
      <SegmentedControl
        aria-label="Who"
        value={by}
        onChange={(next) => {
          setBy(next as typeof by);
          anew();
        }}
        data={[
          { value: 'segment', label: 'A segment' },
          { value: 'people', label: 'People by name' },
        ]}
      />
      {by === 'segment' ? (
        <Select
          label="Segment"
          description="Its current members are enrolled; people who join later aren’t."
          placeholder={
            segments.length > 0 ? 'Choose one' : 'No segments yet. Create one from the list of people.'
          }
          searchable
          data={segments.map(({ id, name, count }) => ({
            value: id,
            label: count === null ? name : `${name} (${counted(count)})`,
          }))}
          value={segment}
          onChange={(next) => {
            setSegment(next);
            anew();
          }}
        />
      ) : (
        <ByName
          people={people}
          change={(next) => {
            setPeople(next);
            anew();
          }}
        />
      )}
      {plan && <Plan plan={plan} />}
      <Refused error={refused} />
      <div className={classes.end}>
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        {plan ? (
          <ActButton
            loading={enrol.isPending}
            closed={plan.enrolled === 0 ? 'No one can be enrolled. The reasons are above.' : null}
            onClick={() => run(false)}
          >
            Enrol {many(plan.enrolled, 'person', 'people')}
          </ActButton>
        ) : (
          <ActButton
            type="submit"
            loading={look.isPending}
            closed={whom ? null : 'Choose a segment or people first.'}
          >
            Preview
          </ActButton>
        )}
      </div>
    </form>
  );
}

function ByName({ people, change }: { people: string[]; change: (next: string[]) => void }) {
  const field = useRef<HTMLDivElement>(null);
  return (
    <div ref={field} tabIndex={-1}>
      <RecordSelect
        // Begins again with each choice, so that the next name is typed into an empty field.
        key={people.length}
        noun="person"
        value={null}
        onChange={(id) => {
          if (!id || people.includes(id)) return;
          change([...people, id]);
          // The list stays closed; one Tab leads back into the field. Whoever went on meanwhile stays where they are.
          if (field.current?.contains(document.activeElement)) field.current.focus();
        }}
      />
      {people.length > 0 && (
        <ul className={classes.chosen} aria-label="Chosen">
          {people.map((id) => (
            <Chosen key={id} id={id} drop={() => change(people.filter((one) => one !== id))} />
          ))}
        </ul>
      )}
    </div>
  );
}

function Chosen({ id, drop }: { id: string; drop: () => void }) {
  const { data } = useRead('person_read', { person: id }, { stale_ms: 60_000 });
  const name = data?.person.name || data?.person.addresses[0]?.value || 'Unnamed';
  return (
    <li>
      {name}
      <button type="button" aria-label={`Remove ${name}`} onClick={drop}>
        <X size={13} />
      </button>
    </li>
  );
}

function Plan({ plan }: { plan: Enrolment }) {
  const { enrolled, refused, refused_by, sentence } = plan;
  const whys = Object.entries(refused_by) as [RefusedWhy, number][];
  const total = whys.reduce((sum, [, n]) => sum + n, 0);
  return (
    <section className={classes.plan} aria-label="What would happen" role="status">
      <p>
        <strong>{many(enrolled, 'person', 'people')} would be enrolled</strong>
        {total > 0 && `, ${counted(total)} refused`}. {sentence}
      </p>
      {whys.length > 0 && (
        <ul className={classes.whys}>
          {whys.map(([why, n]) => (
            <li key={why}>
              <span>{REFUSED[why]}</span>
              <span>{counted(n)}</span>
            </li>
          ))}
        </ul>
      )}
      {refused.length > 0 && (
        <details>
          <summary>Who can’t be enrolled</summary>
          <ul className={classes.refused}>
            {refused.slice(0, 50).map(({ person_id, why, sentence: says }) => (
              <li key={`${person_id}${why}`}>{says}</li>
            ))}
          </ul>
          {total > 50 && <p className={classes.says}>And {counted(total - 50)} more.</p>}
        </details>
      )}
    </section>
  );
}
