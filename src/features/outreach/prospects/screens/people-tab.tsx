// The people of a campaign: how far each came, what comes next and when, who is held back; and the acts on many of them.
import { Button, NativeSelect } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { UserPlus, Users } from 'lucide-react';
import { usePages, useRead } from '../../../../ui/client/hooks.ts';
import { DataList, type Column } from '../../../../ui/kit/data-list.tsx';
import { useKeys } from '../../../../ui/kit/keys.ts';
import { later } from '../../../../ui/kit/later.tsx';
import { CsvButton, csvAddress } from '../../../../ui/kit/list-tools.tsx';
import { useRefused } from '../../../../ui/kit/page.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Empty } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { ListState } from '../../../../ui/shell/list-state.ts';
import { useChosen } from '../../../../ui/shell/runs-chosen.tsx';
import type { TabProps } from '../../campaigns/screens/shared.ts';
import { asDraft, stepWord } from '../../sequences/screens/shared.ts';
import type { Prospect } from '../contract.ts';
import { ProspectBulk } from './bulk.tsx';
import { isStage, named, STAGE, STANDING, type ProspectStanding, stands } from './words.ts';
import classes from './prospects.module.css';

const Enrol = later(
  () => import('./enrol.tsx').then((m) => m.Enrol),
  ({ opened }) => opened,
);

const WhyProspect = later(
  () => import('./why-prospect.tsx').then((m) => m.WhyProspect),
  ({ prospect }) => prospect !== undefined,
);

const columnsOf = (
  stepOf: (id: string) => string | undefined,
  ask: (prospect: string) => void,
): Column<Prospect>[] => [
  {
    key: 'person',
    title: 'Person',
    cell: (prospect) => (
      <span className={classes.named}>
        {prospect.person_id && prospect.person_name ? (
          <Link to="/people/$person" params={{ person: prospect.person_id }} search={{}} tabIndex={-1}>
            {prospect.person_name}
          </Link>
        ) : (
          named(prospect)
        )}
        {stands(prospect) && <small>{stands(prospect)}</small>}
      </span>
    ),
  },
  {
    key: 'stage',
    title: 'Stage',
    gloss: 'How far this person is in the campaign. Stages only move forward.',
    width: '116px',
    cell: ({ stage }) => <Pill tone={STAGE[stage].tone}>{STAGE[stage].title}</Pill>,
  },
  {
    key: 'step',
    title: 'Next step',
    hide: 'medium',
    cell: ({ step_id, ended }) => (step_id && !ended ? (stepOf(step_id) ?? 'Step') : ''),
  },
  {
    key: 'next',
    title: 'Due',
    width: '112px',
    hide: 'narrow',
    cell: ({ next_at, hold, ended }) =>
      ended ? '' : hold ? <Time at={hold.until} none="After release" /> : <Time at={next_at} none="" />,
  },
  {
    key: 'since',
    title: 'Enrolled',
    width: '112px',
    hide: 'medium',
    cell: ({ created_at }) => <Time at={created_at} />,
  },
  {
    key: 'why',
    title: 'Why hasn’t this been sent?',
    width: '108px',
    align: 'end',
    bare: true,
    cell: (prospect) => (
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        aria-label={`Why? ${named(prospect)}`}
        onClick={() => ask(prospect.id)}
      >
        Why?
      </Button>
    ),
  },
];

const isStanding = (value: string | undefined): value is ProspectStanding =>
  value !== undefined && value in STANDING;

export function PeopleTab({ campaign }: TabProps) {
  const search = useSearch({ from: '/desk/campaigns/$campaign' });
  const navigate = useNavigate({ from: '/campaigns/$campaign' });
  const standing = isStanding(search.status) ? search.status : undefined;
  const stage = isStage(search.stage) ? search.stage : undefined;
  const filters = { campaign: campaign.id, ...(standing && { standing }), ...(stage && { stage }) };
  const pages = usePages('prospect_list', { limit: 100, ...filters });
  const steps = (useRead('sequence_read', { campaign: campaign.id }).data?.sequence.steps ?? []).map(asDraft);
  const known = standing || stage ? null : campaign.counts.people;
  const chosen = useChosen('prospect_list', filters, pages);
  const archived = campaign.state === 'archived';
  const change = (next: Partial<Record<keyof ListState, string | undefined>>): void =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true });
  const enrol = (): void => change({ new: 'people' });
  const stepOf = (id: string): string | undefined => {
    const at = steps.findIndex((step) => step.id === id);
    const step = steps[at];
    return step && stepWord(step, at);
  };
  const refused = useRefused();
  useKeys([{ keys: 'n', does: 'Enrol people', group: 'Campaign', run: enrol }], !archived && !refused);

  return (
    <div className={classes.tab}>
      <div className={classes.bar}>
        <NativeSelect
          aria-label="Status"
          value={standing ?? ''}
          onChange={(event) => change({ status: event.currentTarget.value || undefined })}
          data={[
            { value: '', label: 'All statuses' },
            ...Object.entries(STANDING).map(([value, label]) => ({ value, label })),
          ]}
        />
        <NativeSelect
          aria-label="Stage"
          value={stage ?? ''}
          onChange={(event) => change({ stage: event.currentTarget.value || undefined })}
          data={[
            { value: '', label: 'All stages' },
            ...Object.entries(STAGE).map(([value, { title }]) => ({ value, label: title })),
          ]}
        />
        <span className={classes.fill} />
        {!refused && <CsvButton file={csvAddress('prospect_list', filters)} />}
        {!archived && !refused && (
          <Button leftSection={<UserPlus size={15} />} onClick={enrol}>
            Enrol
          </Button>
        )}
      </div>
      <div className={classes.list}>
        <DataList
          label="People of the campaign"
          columns={columnsOf(stepOf, (open) => change({ open }))}
          pages={pages}
          rowKey={({ id }) => id}
          open={({ person_id }) =>
            person_id && void navigate({ to: '/people/$person', params: { person: person_id }, search: {} })
          }
          selection={chosen.selection}
          empty={
            standing || stage ? (
              <Empty
                icon={Users}
                title="No matching people"
                action={
                  <Button variant="default" onClick={() => change({ status: undefined, stage: undefined })}>
                    Show all people
                  </Button>
                }
              >
                No one in this campaign matches these filters.
              </Empty>
            ) : (
              <Empty
                icon={Users}
                title="No one enrolled yet"
                action={!archived && <Button onClick={enrol}>Enrol people</Button>}
              >
                Enrol a segment or individual people. Before anyone is added, you’ll see who can’t be enrolled
                and why.
              </Empty>
            )
          }
        />
      </div>
      {!archived && <ProspectBulk chosen={chosen} known={known} />}
      <WhyProspect
        prospect={search.open}
        campaign={campaign}
        stepOf={stepOf}
        close={() => change({ open: undefined })}
      />
      <Enrol opened={search.new === 'people'} campaign={campaign} close={() => change({ new: undefined })} />
    </div>
  );
}
