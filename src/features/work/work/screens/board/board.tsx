// The work board's addresses: all projects at /work, one project below it.
import { useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { Opening } from '../../../../../ui/shell/route-states.tsx';

const Projects = lazy(() => import('../project/projects.tsx').then((m) => ({ default: m.Projects })));
const ProjectBoard = lazy(() => import('./project-board.tsx').then((m) => ({ default: m.ProjectBoard })));

export function BoardScreen() {
  const { project } = useParams({ strict: false });
  return (
    <Suspense fallback={<Opening />}>
      {project ? <ProjectBoard key={project} project={project.toUpperCase()} /> : <Projects />}
    </Suspense>
  );
}
