// All projects one sees: how much of each is under way and how much waits for a decision, and the way to make another.
import { Button } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus, SquareKanban } from 'lucide-react';
import { useRef } from 'react';
import { usePages } from '../../../../../ui/client/hooks.ts';
import { useMe } from '../../../../../ui/client/session.ts';
import { useKeys } from '../../../../../ui/kit/keys.ts';
import { later } from '../../../../../ui/kit/later.tsx';
import { Page } from '../../../../../ui/kit/page.tsx';
import { STATUS, StatusMark, STATUSES } from '../../../../../ui/kit/pills.tsx';
import { useRowKeys } from '../../../../../ui/kit/row-keys.ts';
import { Bones, Empty, Trouble } from '../../../../../ui/kit/states.tsx';
import { mayAdminister } from '../../../../../ui/shell/places.ts';
import type { ListedProject } from '../../contract.ts';
import classes from './projects.module.css';

const NewProject = later(
  () => import('./new-project.tsx').then((m) => m.NewProject),
  (props) => props.opened,
);

export function Projects() {
  const me = useMe();
  const search = useSearch({ from: '/desk/work' });
  const navigate = useNavigate({ from: '/work' });
  const pages = usePages('project_list', { limit: 100 });
  const list = useRef<HTMLUListElement>(null);
  const may = mayAdminister(me);
  const show = (next: string | undefined): void =>
    void navigate({ search: (before) => ({ ...before, new: next }), replace: true });
  const open = (project: ListedProject): void =>
    void navigate({ to: '/work/$project', params: { project: project.key } });

  const { setActive } = useRowKeys({ scroller: list, rows: pages.rows, label: 'Projects', open });
  useKeys([{ keys: 'n', does: 'New project', group: 'Projects', run: () => show('project') }], may);
  const make = (
    <Button leftSection={<Plus size={15} />} onClick={() => show('project')}>
      New project
    </Button>
  );
  return (
    <Page crumbs={[{ title: 'Work' }]} actions={may && pages.rows.length > 0 && make} width="reading">
      {pages.error && pages.rows.length === 0 ? (
        <Trouble subject error={pages.error} again={pages.again} />
      ) : pages.pending ? (
        <Bones lines={4} height={48} />
      ) : pages.rows.length === 0 ? (
        <Empty
          icon={SquareKanban}
          title={may ? 'Create your first project' : 'No projects on your board'}
          action={may && make}
        >
          {may
            ? 'A project is a board for people and agents. Its key starts every item’s number: OUT-1, OUT-2.'
            : 'Ask an administrator to create a project or add you to one.'}
        </Empty>
      ) : (
        <ul className={classes.projects} ref={list}>
          {pages.rows.map((project, index) => (
            <li key={project.id}>
              <Link
                to="/work/$project"
                params={{ project: project.key }}
                className={classes.project}
                data-row={index}
                onFocus={() => setActive(index)}
              >
                <span className={classes.badge}>{project.key}</span>
                <span className={classes.about}>
                  <strong>{project.name}</strong>
                  {project.description && <span>{project.description}</span>}
                </span>
                <Counts project={project} />
              </Link>
            </li>
          ))}
        </ul>
      )}
      <NewProject opened={search.new === 'project' && may} close={() => show(undefined)} />
    </Page>
  );
}

function Counts({ project: { counts, column_titles } }: { project: ListedProject }) {
  return (
    <span className={classes.counts}>
      {STATUSES.slice(0, 5).map((status) => (
        <span
          key={status}
          data-none={counts[status] === 0 || undefined}
          title={`${column_titles[status] ?? STATUS[status].title}: ${counts[status]}`}
        >
          <StatusMark status={status} size={14} />
          {counts[status]}
        </span>
      ))}
    </span>
  );
}
