// The fields of a deal, each changed where it exists: stage, money, chance, day, whose it is, whom it is with, the instance's own.
import { Button, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useAct } from '../../../../ui/client/hooks.ts';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { Principal } from '../../../../ui/kit/principal.tsx';
import { RecordSelect } from '../../../../ui/kit/record-select.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import { Field, OwnFields } from '../../../../ui/kit/in-place.tsx';
import { fieldSetter, type Saving } from '../../../../ui/kit/record-saving.ts';
import { CustomValue, type SetValue } from '../../../../ui/kit/custom-value.tsx';
import fields from '../../../../ui/kit/fields.module.css';
import finder from '../../../../ui/kit/finder.module.css';
import { Finder } from '../../../../ui/kit/finder.tsx';
import type { Deal } from '../contract.ts';
import { Money } from './money.tsx';
import { stageTitle, useOwners, useStages } from './words.ts';
import classes from './deal.module.css';

type DealFieldsProps = { deal: Deal; saving: Saving<Deal>; gone: () => void };

export function DealFields({ deal, saving, gone }: DealFieldsProps) {
  const save = (change: Record<string, unknown>): void => void saving.save(change);
  const set = fieldSetter(saving);
  return (
    <section className={classes.fields} aria-label="Fields">
      <Field name="Stage">
        <StagePicker deal={deal} pick={(stage) => save({ stage })} />
      </Field>
      <Field name="Amount">
        <Money deal={deal} save={saving.save} />
      </Field>
      <Field name="Probability">
        <Chance deal={deal} set={set('probability')} />
      </Field>
      <Field name="Expected close">
        <CustomValue
          field={{ key: 'day', title: 'Expected close', kind: 'date' }}
          value={deal.expected_on ?? ''}
          set={set('expected_on')}
        />
      </Field>
      <Field name="Owner">
        <Owner deal={deal} set={(owner) => save({ owner })} />
      </Field>
      <Field name="Person">
        <RecordSelect
          noun="person"
          bare
          value={deal.person_id}
          known={deal.person_id ? { id: deal.person_id, name: deal.person_name ?? 'Unknown person' } : null}
          onChange={(person_id) => save({ person_id })}
        />
        {deal.person_id && deal.person_name && (
          <Link className={classes.open} to="/people/$person" params={{ person: deal.person_id }}>
            Open {deal.person_name}
          </Link>
        )}
      </Field>
      <Field name="Company">
        <RecordSelect
          noun="company"
          bare
          value={deal.company_id}
          known={deal.company_id ? { id: deal.company_id, name: deal.company_name ?? 'A company' } : null}
          onChange={(company_id) => save({ company_id })}
        />
      </Field>
      <OwnFields noun="deal" values={deal.custom} set={set('custom')} />
      <dl className={fields.facts}>
        <div>
          <dt>Opened by</dt>
          <dd>
            {deal.opened_by === 'reading' ? (
              'A positive reply'
            ) : (
              <Principal of={deal.created_by} behalf={deal.created_by.on_behalf_of ?? null} size={18} />
            )}
          </dd>
        </div>
        <div>
          <dt>Opened</dt>
          <dd>
            <Time at={deal.created_at} />
          </dd>
        </div>
        <div>
          <dt>Changed</dt>
          <dd>
            <Time at={deal.updated_at} />
          </dd>
        </div>
      </dl>
      <Delete deal={deal} gone={gone} />
    </section>
  );
}

function StagePicker({ deal, pick }: { deal: Deal; pick: (stage: string) => void }) {
  const stages = useStages();
  const title = stageTitle(stages, deal.stage);
  if (deal.state !== 'open')
    return (
      <span className={finder.value} title="Closed deals keep their stage. Reopen the deal to move it.">
        {title}
      </span>
    );
  return (
    <Menu position="bottom-start" width={220}>
      <Menu.Target>
        <button type="button" className={finder.value} aria-label={`Stage: ${title}`} data-stage-picker>
          {title}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {stages.map((stage) => (
          <Menu.Item key={stage.key} onClick={() => pick(stage.key)}>
            {stage.title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The deal's own chance, or the stage's, which an empty field shows. */
function Chance({ deal, set }: { deal: Deal; set: SetValue }) {
  const stage = useStages().find((one) => one.key === deal.stage);
  return (
    <span className={classes.chance}>
      <CustomValue
        field={{ key: 'chance', title: 'Probability (%)', kind: 'number' }}
        value={deal.probability ?? ''}
        set={set}
      />
      {deal.probability === null && typeof stage?.probability === 'number' && (
        <span className={classes.quiet}>{stage.probability}% (stage default)</span>
      )}
    </span>
  );
}

function Owner({ deal, set }: { deal: Deal; set: (owner: string | null) => void }) {
  const owners = useOwners();
  return (
    <Finder
      label="Owner"
      chosen={[deal.owner ?? '']}
      options={[
        { id: '', word: 'No owner', shown: 'No owner' },
        ...owners.map(({ id, name }) => ({ id, word: name, shown: name })),
      ]}
      onPick={(id) => set(id || null)}
    >
      {deal.owner_name ?? <span className={fields.none}>No owner</span>}
    </Finder>
  );
}

function Delete({ deal, gone }: { deal: Deal; gone: () => void }) {
  const remove = useAct('deal_delete', { says: `${deal.name} deleted.`, onSuccess: gone });
  const ask = async (): Promise<void> => {
    const sure = await confirm({
      title: `Delete ${deal.name}?`,
      says: 'The deal and its history are deleted, and metrics no longer count it. If the deal was lost, close it as lost instead. This can’t be undone.',
      act: 'Delete deal',
      tone: 'bad',
    });
    if (sure) remove.mutate({ deal: deal.id });
  };
  return (
    <Button
      className={classes.delete ?? ''}
      variant="subtle"
      color="gray"
      leftSection={<Trash2 size={14} />}
      onClick={() => void ask()}
    >
      Delete
    </Button>
  );
}
