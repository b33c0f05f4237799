// The fields of an item beside its text; each is changed where it exists.
import { Menu, Switch } from '@mantine/core';
import { X } from 'lucide-react';
import { useDigits } from '../../../../../ui/kit/digits.ts';
import { Field } from '../../../../../ui/kit/in-place.tsx';
import { useDraft } from '../../../../../ui/kit/draft.ts';
import {
  Label,
  PRIORITY,
  PriorityMark,
  STATUS,
  StatusPill,
  PRIORITIES,
} from '../../../../../ui/kit/pills.tsx';
import { Principal } from '../../../../../ui/kit/principal.tsx';
import { Time } from '../../../../../ui/kit/time.tsx';
import type { Project } from '../../contract.ts';
import type { Item } from '../../items.contract.ts';
import { isOver } from '../../rules.ts';
import { CustomValue } from '../../../../../ui/kit/custom-value.tsx';
import { Finder } from '../../../../../ui/kit/finder.tsx';
import { ItemLinks } from './links.tsx';
import { foretold, MoveEntries } from '../board/move-menu.tsx';
import { BlockedBy, Parent } from './relations.tsx';
import type { Saving } from './save.ts';
import { AssigneePicker } from './workers.tsx';
import { today } from '../../../../../ui/kit/days.ts';
import finder from '../../../../../ui/kit/finder.module.css';
import classes from '../../../../../ui/kit/fields.module.css';

type FieldsProps = { item: Item; project: Project; saving: Saving };

export function Fields({ item, project, saving }: FieldsProps) {
  const { save } = saving;
  const labels = [...new Set([...project.labels, ...item.labels])];
  const setLabels = (next: string[]): void => void save({ labels: next }, { shown: { labels: next } });
  const says = item.status === 'done' ? null : foretold(item, 'done');
  return (
    <section className={classes.fields} aria-label="Fields">
      <Field name="Status">
        <StatusPicker item={item} project={project} />
      </Field>
      {says && item.status !== 'in_review' && (
        <p className={classes.says}>Requires approval before it’s done.</p>
      )}
      <Field name="Priority">
        <Menu position="bottom-start" width={200}>
          <Menu.Target>
            <button
              type="button"
              className={finder.value}
              aria-label={`Priority: ${PRIORITY[item.priority].title}`}
            >
              <PriorityMark priority={item.priority} /> {PRIORITY[item.priority].title}
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            {PRIORITIES.map((priority) => (
              <Menu.Item
                key={priority}
                leftSection={<PriorityMark priority={priority} />}
                onClick={() => void save({ priority }, { shown: { priority } })}
              >
                {PRIORITY[priority].title}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </Field>
      <Field name="Assignee">
        <AssigneePicker
          value={item.assignee}
          pick={(who) =>
            void save({ assignee: who?.id ?? null }, { shown: { assignee: who as Item['assignee'] } })
          }
        />
      </Field>
      <Field name="Labels">
        <Finder
          label="Labels"
          several
          chosen={item.labels}
          options={labels.map((label) => ({ id: label, word: label, shown: <Label>{label}</Label> }))}
          onPick={(label) =>
            setLabels(
              item.labels.includes(label)
                ? item.labels.filter((one) => one !== label)
                : [...item.labels, label],
            )
          }
          onMake={(label) => setLabels([...item.labels, label.slice(0, 40)])}
          placeholder="Find or add"
        >
          {item.labels.length > 0 ? (
            item.labels.map((label) => <Label key={label}>{label}</Label>)
          ) : (
            <span className={classes.none}>None</span>
          )}
        </Finder>
      </Field>
      <Field name="Due">
        <DueDate item={item} saving={saving} />
      </Field>
      <Field name="Parent">
        <Parent item={item} saving={saving} />
      </Field>
      <Field name="Blocked by">
        <BlockedBy item={item} saving={saving} />
      </Field>
      <Field name="Links">
        <ItemLinks item={item} saving={saving} />
      </Field>
      {project.custom_fields.map((field) => (
        <Field key={field.key} name={field.title}>
          <CustomValue
            field={field}
            value={item.custom[field.key]}
            set={(value, from) => {
              const change = { [field.key]: value };
              const read = from === undefined ? undefined : { custom: { [field.key]: from } };
              return saving.keep({ custom: change }, { custom: { ...item.custom, ...change } }, read);
            }}
          />
        </Field>
      ))}
      <Field name="Review">
        <Switch
          size="xs"
          className={classes.switch ?? ''}
          label="Requires approval before it’s done"
          checked={item.needs_review}
          onChange={(event) => {
            const needs_review = event.currentTarget.checked;
            void save({ needs_review }, { shown: { needs_review } });
          }}
        />
      </Field>
      <dl className={classes.facts}>
        <div>
          <dt>Written by</dt>
          <dd>
            <Principal of={item.author} behalf={item.author.on_behalf_of ?? null} size={18} />
          </dd>
        </div>
        <div>
          <dt>Created</dt>
          <dd>
            <Time at={item.created_at} />
          </dd>
        </div>
        {item.completed_at && (
          <div>
            <dt>Done</dt>
            <dd>
              <Time at={item.completed_at} />
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}

function StatusPicker({ item, project }: { item: Item; project: Project }) {
  const digits = useDigits();
  const title = project.column_titles[item.status] ?? STATUS[item.status].title;
  return (
    <Menu position="bottom-start" width={270}>
      <Menu.Target>
        <button type="button" className={finder.value} aria-label={`Status: ${title}`} data-status-picker>
          <StatusPill status={item.status} title={title} />
        </button>
      </Menu.Target>
      <Menu.Dropdown ref={digits}>
        <MoveEntries card={item} />
      </Menu.Dropdown>
    </Menu>
  );
}

function DueDate({ item, saving }: { item: Item; saving: Saving }) {
  const set = (due_on: string | null, from?: Partial<Item>): Promise<boolean> =>
    saving.keep({ due_on }, { due_on }, from);
  const { input } = useDraft(item.due_on ?? '', (day, from) =>
    set(day || null, from === undefined ? undefined : { due_on: from || null }),
  );
  const late = item.due_on !== null && item.due_on < today() && !isOver(item.status);
  return (
    <span className={classes.due} data-none={input.value === '' || undefined}>
      <input
        type="date"
        aria-label="Due"
        className={classes.date}
        data-empty={input.value === '' || undefined}
        data-late={late || undefined}
        {...input}
      />
      {item.due_on && (
        <button
          type="button"
          className={classes.clear}
          aria-label="Remove due date"
          onClick={() => void set(null)}
        >
          <X size={13} aria-hidden />
        </button>
      )}
    </span>
  );
}
