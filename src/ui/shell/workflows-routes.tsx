// The addresses of workflows: all of them, a new one, each with its tabs under one, and each run.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { desk } from './desk-route.tsx';
import { listState } from './list-state.ts';

const workflows = createRoute({
  getParentRoute: () => desk,
  path: '/workflows',
  validateSearch: listState,
  component: lazyRouteComponent(
    () => import('../../features/automation/workflows/screens/workflows.tsx'),
    'WorkflowsScreen',
  ),
});

const made = createRoute({
  getParentRoute: () => desk,
  path: '/workflows/new',
  validateSearch: listState,
  component: lazyRouteComponent(
    () => import('../../features/automation/workflows/screens/new-workflow.tsx'),
    'NewWorkflowScreen',
  ),
});

const workflow = createRoute({
  getParentRoute: () => desk,
  path: '/workflows/$workflow',
  validateSearch: listState,
  component: lazyRouteComponent(
    () => import('../../features/automation/workflows/screens/workflow.tsx'),
    'WorkflowScreen',
  ),
});

const run = createRoute({
  getParentRoute: () => desk,
  path: '/workflows/runs/$run',
  component: lazyRouteComponent(
    () => import('../../features/automation/workflows/screens/run/run.tsx'),
    'RunScreen',
  ),
});

export const workflowsRoutes = [workflows, made, workflow, run] as const;
