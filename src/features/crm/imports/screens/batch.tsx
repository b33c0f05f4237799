// One import: how far its writing is, what each row came to, and the way to undo it. It is the same page while it is
// written and long after, so leaving it loses nothing.
import { Button, NativeSelect } from '@mantine/core';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { FileUp, ListChecks, Undo2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { known, useAct, useRead } from '../../../../ui/client/hooks.ts';
import { staleAfter } from '../../../../ui/client/topics.ts';
import { ActButton } from '../../../../ui/kit/act-button.tsx';
import { DataList } from '../../../../ui/kit/data-list.tsx';
import { Page } from '../../../../ui/kit/page.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Bones, Empty, Trouble } from '../../../../ui/kit/states.tsx';
import type { Batch } from '../contract.ts';
import { ROW_COLUMNS, useBatchRows } from './batch-rows.tsx';
import { BatchSummary, type TakenBack } from './batch-summary.tsx';
import { sureToRollBack, whyNotRolledBack } from './rollback.ts';
import { OUTCOME, type Outcome, STATE } from './words.ts';
import classes from './imports.module.css';

/** A change notification tells of every thousand rows; this is for when none comes. */
const LOOK_AGAIN_MS = 2_000;

const IMPORTS = { title: 'Imports', to: '/people/imports' };

export function BatchScreen() {
  const { batch: id } = useParams({ from: '/desk/people/imports/$batch' });
  const args = { batch: id, limit: 1 };
  const writing = known.get('import_get', args)?.batch.state === 'writing';
  const { data, error, refetch } = useRead('import_get', args, {
    stale_ms: 0,
    ...(writing ? { every_ms: LOOK_AGAIN_MS } : {}),
  });
  if (data) return <BatchPage key={id} batch={data.batch} />;
  return (
    <Page crumbs={[IMPORTS, { title: 'Import' }]}>
      {error ? (
        <Trouble error={error} again={() => void refetch()} />
      ) : (
        <div className={classes.bones}>
          <Bones lines={6} />
        </div>
      )}
    </Page>
  );
}

const NO_NAMES: ReadonlyMap<string, string> = new Map();

function BatchPage({ batch }: { batch: Batch }) {
  const { state, filename } = batch;
  const search = useSearch({ from: '/desk/people/imports/$batch' });
  const navigate = useNavigate({ from: '/people/imports/$batch' });
  const [taken, setTaken] = useState<TakenBack | null>(null);
  const rollback = useAct('import_rollback', {
    onSuccess: (answer) => {
      setTaken(answer);
      show(undefined);
    },
  });
  const outcome = (Object.keys(OUTCOME) as Outcome[]).find((one) => one === search.outcome);
  const differing = search.outcome === 'differs';
  const pages = useBatchRows(
    { batch: batch.id, limit: 100, ...(outcome ? { outcome } : {}), ...(differing ? { differs: true } : {}) },
    state !== 'writing',
  );
  const names = new Map(pages.rows.flatMap(({ person }) => (person?.name ? [[person.id, person.name]] : [])));
  const show = (next: string | undefined): void =>
    void navigate({ search: next ? { outcome: next } : {}, replace: true });

  // Lists of people that were read while it was written show what is now.
  const before = useRef(state);
  useEffect(() => {
    if (before.current === 'writing' && state !== 'writing')
      void staleAfter('people_import', ['imports', 'suppressions']);
    before.current = state;
  }, [state]);

  return (
    <Page
      crumbs={[IMPORTS, { title: filename ?? 'Pasted text' }]}
      beside={<Pill tone={STATE[state].tone}>{STATE[state].title}</Pill>}
      actions={
        batch.rolled_back?.kept !== 0 && (
          <ActButton
            variant="default"
            leftSection={<Undo2 size={15} />}
            closed={whyNotRolledBack(batch)}
            loading={rollback.isPending}
            onClick={() =>
              void sureToRollBack(batch).then((yes) => yes && rollback.mutate({ batch: batch.id }))
            }
          >
            {batch.rolled_back ? 'Roll back the rest' : 'Roll back'}
          </ActButton>
        )
      }
      {...(state === 'writing'
        ? {}
        : {
            bar: (
              <NativeSelect
                aria-label="Rows"
                value={search.outcome ?? ''}
                onChange={(event) => show(event.currentTarget.value || undefined)}
                data={[
                  { value: '', label: 'All rows' },
                  ...Object.entries(OUTCOME).map(([value, { title }]) => ({ value, label: title })),
                  { value: 'differs', label: 'Not as planned' },
                ]}
              />
            ),
          })}
    >
      {state === 'writing' ? (
        <BatchSummary batch={batch} taken={null} names={NO_NAMES} showDiffering={() => show('differs')} />
      ) : (
        <DataList
          label="Import rows"
          columns={ROW_COLUMNS}
          pages={pages}
          rowKey={({ row }) => String(row)}
          open={({ person, rolled_back }) => {
            if (person && rolled_back !== 'removed')
              void navigate({ to: '/people/$person', params: { person: person.id }, search: {} });
          }}
          tone={({ outcome: came, rolled_back, differs }) =>
            rolled_back === 'kept' || differs !== null ? 'warn' : came === 'reject' ? 'bad' : undefined
          }
          above={
            <BatchSummary batch={batch} taken={taken} names={names} showDiffering={() => show('differs')} />
          }
          empty={
            <Empty
              icon={outcome || differing ? ListChecks : FileUp}
              title="No rows with this result"
              action={
                <Button variant="default" onClick={() => show(undefined)}>
                  Show every row
                </Button>
              }
            >
              Choose another result.
            </Empty>
          }
        />
      )}
    </Page>
  );
}
