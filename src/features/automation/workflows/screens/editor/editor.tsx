// Editor of a workflow’s definition, as a flow of steps or as JSON, with the problems of the last save.
import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Refused } from '../../../../../ui/kit/form.tsx';
import { useKeys } from '../../../../../ui/kit/keys.ts';
import { CodeArea } from '../../../scripts/screens/shared.ts';
import { type WorkflowDraft, readJson } from './draft.rules.ts';
import { Flow } from './flow.tsx';
import type { Editing } from './use-editing.ts';
import { HEARD_WORD } from '../words.ts';
import classes from '../workflow.module.css';

const TRIGGERS = [...Object.keys(HEARD_WORD), 'form', 'schedule', 'manual'];

export function Editor({ editing, isNew = false }: { editing: Editing; isNew?: boolean }) {
  const { draft, change, dirty, faults, refused } = editing;
  const [view, setView] = useState<'flow' | 'json'>('flow');
  const [unread, setUnread] = useState<string | null>(null);
  const save = (): void => {
    if (unread === null && dirty) editing.save();
  };
  useKeys([{ keys: 'mod+s', does: 'Save', group: 'Workflow', run: save }]);
  const loose = [...faults.others].filter(([path]) => path !== 'name' && !path.startsWith('trigger.'));

  return (
    <div className={classes.editor}>
      <div className={classes.middle}>
        <div className={classes.head}>
          <TextInput
            label="Name"
            maxLength={120}
            placeholder="Description"
            value={draft.name}
            error={faults.others.get('name')}
            data-autofocus={isNew || undefined}
            onChange={(event) => change({ ...draft, name: event.currentTarget.value })}
          />
          <SegmentedControl
            aria-label="View"
            data={[
              { value: 'flow', label: 'Steps' },
              { value: 'json', label: 'JSON' },
            ]}
            value={view}
            // What cannot be read as steps is not left behind unseen.
            readOnly={unread !== null}
            onChange={(next) => setView(next as 'flow' | 'json')}
          />
        </div>
        {view === 'flow' ? (
          <Flow draft={draft} faults={faults} open={editing.open} setOpen={editing.setOpen} change={change} />
        ) : (
          <JsonView draft={draft} change={change} unread={unread} setUnread={setUnread} />
        )}
      </div>
      {(dirty || refused) && (
        <div className={classes.bar} role="region" aria-label="Unsaved changes">
          <Refused
            error={refused && (loose.length > 0 || Object.keys(refused.fields).length === 0) ? refused : null}
          />
          {refused && <FaultList editing={editing} />}
          {editing.theirs && (
            <p className={classes.says}>
              Someone else saved this workflow. Load their version and lose your changes, or keep yours and
              overwrite theirs when you save.
            </p>
          )}
          <div className={classes.barRow}>
            <p className={classes.says} role="status">
              {unread ?? 'Unsaved changes.'}
            </p>
            {editing.theirs ? (
              <>
                <Button variant="default" onClick={editing.takeTheirs}>
                  Load their version
                </Button>
                <Button onClick={editing.keepMine}>Keep my changes</Button>
              </>
            ) : (
              <>
                {!isNew && (
                  <Button variant="default" onClick={editing.discard}>
                    Discard
                  </Button>
                )}
                <Button loading={editing.saving} disabled={unread !== null} onClick={save}>
                  {isNew ? 'Save draft' : 'Save'}
                </Button>
              </>
            )}
          </div>
        </div>
      )}
    </div>
  );
}

/** Every fault by the name of its step, whichever view is shown. */
function FaultList({ editing: { draft, faults } }: { editing: Editing }) {
  const named = [
    ...[...faults.others].map(([path, says]) => ({
      key: path,
      who: path === 'steps' ? '' : WHERE(path),
      says,
    })),
    ...draft.steps.flatMap(({ id, name }, at) =>
      [...(faults.steps.get(id) ?? [])].map(([field, says]) => ({
        key: `${id}.${field}`,
        who: `${at + 1}. ${name}${field ? `, ${field.replace(/^input\./, '').replaceAll('_', ' ')}` : ''}`,
        says,
      })),
    ),
  ];
  if (named.length === 0) return null;
  return (
    <ul className={classes.faults} aria-label="Problems">
      {named.map(({ key, who, says }) => (
        <li key={key}>
          {who && <strong>{who}: </strong>}
          {says}
        </li>
      ))}
    </ul>
  );
}

const WHERE = (path: string): string =>
  path === 'name' ? 'Name' : path.startsWith('trigger.') ? `Trigger, ${path.slice(8)}` : path;

type JsonProps = {
  draft: WorkflowDraft;
  change: (next: WorkflowDraft) => void;
  unread: string | null;
  setUnread: (why: string | null) => void;
};

function JsonView({ draft, change, unread, setUnread }: JsonProps) {
  const { trigger, steps } = draft;
  const [typed, setTyped] = useState<{ text: string; of: WorkflowDraft['steps'] } | null>(null);
  const isMine = typed !== null && (unread !== null || typed.of === steps);
  return (
    <CodeArea
      label="Trigger and steps as JSON"
      value={isMine ? typed.text : JSON.stringify({ trigger, steps }, null, 2)}
      error={unread}
      onChange={(text) => {
        const found = readJson(text, TRIGGERS);
        if (typeof found === 'string') {
          setUnread(found);
          setTyped({ text, of: steps });
          return;
        }
        setUnread(null);
        setTyped({ text, of: found.steps });
        change({ ...draft, ...found });
      }}
    />
  );
}
