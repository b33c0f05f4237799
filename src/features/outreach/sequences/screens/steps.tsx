// A campaign’s steps: a list to add to and reorder, the open step, and the letter as it will arrive. Nothing is saved unasked,
// and what a save returns to review is said first.
import { Button, Menu } from '@mantine/core';
import { ListOrdered, Plus } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '../../../../ui/client/call.ts';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { Refused } from '../../../../ui/kit/form.tsx';
import { many } from '../../../../ui/kit/numbers.ts';
import { Bones, Empty, Trouble } from '../../../../ui/kit/states.tsx';
import { type TabProps, useTabGuard } from '../../campaigns/screens/shared.ts';
import type { Sequence } from '../contract.ts';
import {
  asDraft,
  asGiven,
  changedLetters,
  type DraftStep,
  faultsByStep,
  isSame,
  KIND_WORD,
  moved,
  newStep,
  saysTheSame,
  type StepFaults,
  type StepKind,
  toFix,
  without,
} from './draft.rules.ts';
import { Preview } from './preview.tsx';
import { StepFields } from './step-fields.tsx';
import { StepList } from './step-list.tsx';
import classes from './steps.module.css';

export function StepsTab({ campaign }: TabProps) {
  const { data, error, refetch } = useRead('sequence_read', { campaign: campaign.id });
  if (error && !data) return <Trouble error={error} again={() => void refetch()} />;
  if (!data)
    return (
      <div className={classes.padded}>
        <Bones lines={6} height={28} />
      </div>
    );
  return <Editor campaign={campaign} now={data.sequence} />;
}

const NONE: StepFaults = {};

function Editor({ campaign, now }: { campaign: TabProps['campaign']; now: Sequence }) {
  // What was read stays what one writes on, whatever arrives meanwhile.
  const [read, setRead] = useState(now);
  const saved = read.steps.map(asDraft);
  const [steps, setSteps] = useState<DraftStep[]>(saved);
  const [openId, setOpenId] = useState<string | null>(saved[0]?.id ?? null);
  const [refused, setRefused] = useState<ApiError | null>(null);
  const dirty = !isSame(saved, steps);
  const archived = campaign.state === 'archived';
  const elsewhere = now.revision > read.revision;
  useTabGuard(dirty);

  const take = (sequence: Sequence): void => {
    setRead(sequence);
    setSteps(sequence.steps.map(asDraft));
    setRefused(null);
  };
  const save = useAct('sequence_save', {
    quiet: true,
    says: 'Steps saved',
    onSuccess: ({ sequence }) => take(sequence),
    onError: (error) => {
      setRefused(error);
      const [first] = [...faultsByStep(error.fields).keys()].toSorted((a, b) => a - b);
      const step = first === undefined ? undefined : steps[first];
      if (step) setOpenId(step.id);
    },
  });
  // Nothing typed is at stake: what someone else saved is simply shown.
  if (elsewhere && !dirty) take(now);

  const faults = faultsByStep(refused?.fields ?? {});
  const trouble =
    refused && faults.size > 0 ? new ApiError(refused.status, refused.code, toFix(faults)) : refused;
  const at = steps.findIndex(({ id }) => id === openId);
  const open = steps[at];
  const change = (next: DraftStep): void =>
    setSteps((before) => before.map((step) => (step.id === next.id ? next : step)));
  const add = (kind: StepKind): void => {
    const step = newStep(kind, crypto.randomUUID(), steps);
    setSteps([...steps, step]);
    setOpenId(step.id);
  };
  const remove = (id: string): void => {
    const next = without(steps, id);
    setSteps(next);
    setOpenId(next[Math.max(0, at - 1)]?.id ?? null);
  };
  const again = changedLetters(saved, steps);

  return (
    <div className={classes.editor}>
      <div className={classes.left}>
        {steps.length === 0 ? (
          <Empty
            icon={ListOrdered}
            title="No steps yet"
            action={!archived && <Button onClick={() => add('letter')}>Write the first letter</Button>}
          >
            Add letters, waits, tasks and branches. Each person goes through them in order until they reply.
          </Empty>
        ) : (
          <StepList
            steps={steps}
            open={openId}
            faults={faults}
            show={setOpenId}
            move={(from, to) => setSteps(moved(steps, from, to))}
            closed={archived}
          />
        )}
        {steps.length > 0 && !archived && (
          <Menu position="bottom-start">
            <Menu.Target>
              <Button variant="default" leftSection={<Plus size={15} />} className={classes.add ?? ''}>
                Add step
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {(Object.keys(KIND_WORD) as StepKind[]).map((kind) => (
                <Menu.Item key={kind} onClick={() => add(kind)}>
                  {KIND_WORD[kind]}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
      </div>
      {open && (
        <div className={classes.middle}>
          <StepFields
            key={open.id}
            step={open}
            at={at}
            steps={steps}
            fields={read.merge_fields}
            campaign={campaign.id}
            faults={faults.get(at) ?? NONE}
            closed={archived}
            change={change}
            remove={() => remove(open.id)}
          />
        </div>
      )}
      {open?.kind === 'letter' && (
        <Preview
          campaign={campaign.id}
          saved={saysTheSame(saved, open) ? open.id : null}
          words={{ subject: open.subject ?? '', text: open.text ?? '', html: open.html }}
        />
      )}
      {(dirty || refused) && (
        <div className={classes.bar} role="region" aria-label="Changes">
          <Refused error={trouble} />
          {elsewhere && (
            <p className={classes.says}>
              Someone else changed these steps. Use theirs and lose your changes, or keep yours and replace
              theirs when you save.
            </p>
          )}
          <div className={classes.barRow}>
            <p className={classes.says} role="status">
              {again > 0
                ? `${many(again, 'letter', 'letters')} changed. Waiting letters go back to review unless they were reviewed with this text.`
                : 'Unsaved changes.'}
            </p>
            {elsewhere ? (
              <>
                <Button variant="default" onClick={() => take(now)}>
                  Use theirs
                </Button>
                <Button onClick={() => setRead(now)}>Keep mine</Button>
              </>
            ) : (
              <>
                <Button variant="default" onClick={() => take(read)}>
                  Discard
                </Button>
                <Button
                  loading={save.isPending}
                  onClick={() => {
                    setRefused(null);
                    save.mutate({
                      campaign: campaign.id,
                      revision: read.revision,
                      steps: steps.map(asGiven),
                    });
                  }}
                >
                  Save steps
                </Button>
              </>
            )}
          </div>
        </div>
      )}
    </div>
  );
}
