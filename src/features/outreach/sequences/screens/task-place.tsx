// The project and assignee of a task step’s work item.
import { Select } from '@mantine/core';
import { useRead } from '../../../../ui/client/hooks.ts';
import type { Task } from '../contract.ts';
import classes from './steps.module.css';

const SLOW = { stale_ms: 60_000 };

/** Whoever is no longer listed stays chosen until someone chooses again. */
function withChosen(
  listed: { value: string; label: string }[],
  chosen: string | null,
): { value: string; label: string }[] {
  const known = chosen === null || listed.some(({ value }) => value === chosen);
  return known ? listed : [...listed, { value: chosen, label: 'Not in the list' }];
}

export function TaskPlace({ task, set }: { task: Task; set: (next: Partial<Task>) => void }) {
  const projects = useRead('project_list', { limit: 200 }, SLOW).data?.items ?? [];
  const workers = useRead('assignee_list', { limit: 200 }, SLOW).data?.items ?? [];
  return (
    <div className={classes.pair}>
      <Select
        label="Project"
        placeholder="Project of the person who activates it"
        clearable
        clearButtonProps={{ 'aria-label': 'Clear project' }}
        searchable
        data={withChosen(
          projects.map(({ id, key, name }) => ({ value: id, label: `${key}: ${name}` })),
          task.project_id,
        )}
        value={task.project_id}
        onChange={(project_id) => set({ project_id })}
      />
      <Select
        label="Assigned to"
        placeholder="Unassigned"
        clearable
        clearButtonProps={{ 'aria-label': 'Clear assignee' }}
        searchable
        data={withChosen(
          workers.map(({ id, name, kind }) => ({
            value: id,
            label: kind === 'person' ? name : `${name} (${kind})`,
          })),
          task.assignee,
        )}
        value={task.assignee}
        onChange={(assignee) => set({ assignee })}
      />
    </div>
  );
}
