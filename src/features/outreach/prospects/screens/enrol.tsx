// Enrolling people: a segment or people by name, looked at first without writing anything: how many would be in, who is refused
// and why. Only what was looked at can be enrolled.
import { counted, many } from '../../../../ui/kit/numbers.ts';
import { Button, Modal, SegmentedControl, Select } from '@mantine/core';
import { X } from 'lucide-react';
import { useRef, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../../../../ui/client/call.ts';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { tell } from '../../../../ui/client/toast.ts';
import { ActButton } from '../../../../ui/kit/act-button.tsx';
import { Refused } from '../../../../ui/kit/form.tsx';
import { useTopmost } from '../../../../ui/kit/topmost.ts';
import type { Campaign } from '../../campaigns/contract.ts';
import { RecordSelect } from '../../../../ui/kit/record-select.tsx';
import type { Enrolment, RefusedWhy } from '../enrol.contract.ts';
import { partsOf, peopleOfImport, together, type Whom } from './by-import.ts';
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
  const [by, setBy] = useState<'segment' | 'import' | 'people'>('segment');
  const [batch, setBatch] = useState<string | null>(null);
  const [segment, setSegment] = useState<string | null>(null);
  const [people, setPeople] = useState<string[]>([]);
  const [plan, setPlan] = useState<Enrolment | null>(null);
  const [refused, setRefused] = useState<ApiError | null>(null);
  const segments = useRead('segment_list', { limit: 200 }, { stale_ms: 30_000 }).data?.items ?? [];
  const imported = useQuery({
    queryKey: ['imports', 'people_of_import', batch],
    queryFn: ({ signal }) => peopleOfImport(batch ?? '', signal),
    enabled: by === 'import' && batch !== null,
    staleTime: 30_000,
  });
  const named = by === 'import' ? (imported.data ?? []) : people;
  const whom: Whom | null =
    by === 'segment' ? (segment ? { segment } : null) : named.length > 0 ? { people: named } : null;

  // Another choice is another plan.
  const anew = (): void => {
    setPlan(null);
    setRefused(null);
  };
  const act = useAct('campaign_enrol', { quiet: true, touches: ['campaigns', 'people'] });
  const [busy, setBusy] = useState(false);
  const run = async (dry_run: boolean): Promise<void> => {
    if (!whom) return;
    setRefused(null);
    setBusy(true);
    try {
      const found: Enrolment[] = [];
      for (const part of partsOf(whom))
        found.push(await act.mutateAsync({ campaign: campaign.id, ...part, dry_run }));
      const all = together(found);
      if (dry_run) setPlan(all);
      else {
        tell(`${many(all?.enrolled ?? 0, 'person', 'people')} enrolled`);
        close();
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code !== 'given_up') setRefused(error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <form
      className={classes.stack}
      aria-label="Enrol people"
      onSubmit={(event) => {
        event.preventDefault();
        if (!plan) void run(true);
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
          { value: 'import', label: 'An import' },
          { value: 'people', label: 'People by name' },
        ]}
      />
      {by === 'segment' ? (
        <Select
          label="Segment"
          description="Only current members are enrolled, not people who join later."
          placeholder={segments.length > 0 ? 'Choose a segment' : 'No segments yet. Create one under People.'}
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
      ) : by === 'import' ? (
        <ByImport
          batch={batch}
          busy={imported.isFetching}
          error={imported.error instanceof ApiError ? imported.error.message : undefined}
          choose={(next) => {
            setBatch(next);
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
            loading={busy}
            closed={plan.enrolled === 0 ? 'No one here can be enrolled. See the reasons above.' : null}
            onClick={() => void run(false)}
          >
            Enrol {many(plan.enrolled, 'person', 'people')}
          </ActButton>
        ) : (
          <ActButton type="submit" loading={busy} closed={whom ? null : 'Choose whom to enrol first.'}>
            Preview
          </ActButton>
        )}
      </div>
    </form>
  );
}

type ByImportProps = {
  batch: string | null;
  busy: boolean;
  error: string | undefined;
  choose: (batch: string | null) => void;
};

function ByImport({ batch, busy, error, choose }: ByImportProps) {
  const { data } = useRead('import_list', { limit: 50 }, { stale_ms: 30_000 });
  const batches = (data?.items ?? []).filter(({ state }) => state === 'written' || state === 'locked');
  return (
    <Select
      label="Import"
      description={
        busy
          ? 'Reading its people…'
          : 'Everyone in the import is enrolled, including people who already existed.'
      }
      placeholder={data && batches.length === 0 ? 'No imports yet' : 'Choose an import'}
      searchable
      data={batches.map(({ id, filename, created, updated, created_at }) => ({
        value: id,
        label: `${filename ?? 'Pasted rows'}, ${day.format(new Date(created_at))} (${counted(created + updated)})`,
      }))}
      value={batch}
      error={error}
      onChange={choose}
    />
  );
}

const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' });

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
        <ul className={classes.chosen} aria-label="Selected people">
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
  const { enrolled, refused, refused_by } = plan;
  const whys = Object.entries(refused_by) as [RefusedWhy, number][];
  const total = whys.reduce((sum, [, n]) => sum + n, 0);
  return (
    <section className={classes.plan} aria-label="Enrolment preview" role="status">
      <p>
        <strong>{many(enrolled, 'person', 'people')} would be enrolled</strong>
        {total > 0 && `, ${counted(total)} refused`}. Nothing has changed yet.
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
          {total > 50 && <p className={classes.says}>and {counted(total - 50)} more</p>}
        </details>
      )}
    </section>
  );
}
