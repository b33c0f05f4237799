// The addresses of people and of the companies they work for.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { desk } from './desk-route.tsx';
import { listState } from './list-state.ts';

const people = createRoute({
  getParentRoute: () => desk,
  path: '/people',
  validateSearch: listState,
  component: lazyRouteComponent(() => import('../../features/crm/people/screens/people.tsx'), 'PeopleScreen'),
});

const importPeople = createRoute({
  getParentRoute: () => desk,
  path: '/people/import',
  validateSearch: listState,
  component: lazyRouteComponent(
    () => import('../../features/crm/imports/screens/import.tsx'),
    'ImportScreen',
  ),
});

const imports = createRoute({
  getParentRoute: () => desk,
  path: '/people/imports',
  validateSearch: listState,
  component: lazyRouteComponent(
    () => import('../../features/crm/imports/screens/imports.tsx'),
    'ImportsScreen',
  ),
});

const importBatch = createRoute({
  getParentRoute: () => desk,
  path: '/people/imports/$batch',
  validateSearch: listState,
  component: lazyRouteComponent(() => import('../../features/crm/imports/screens/batch.tsx'), 'BatchScreen'),
});

const bulkJobs = createRoute({
  getParentRoute: () => desk,
  path: '/people/bulk',
  validateSearch: listState,
  component: lazyRouteComponent(() => import('../../features/crm/bulk/screens/jobs.tsx'), 'BulkJobsScreen'),
});

const bulkJob = createRoute({
  getParentRoute: () => desk,
  path: '/people/bulk/$job',
  validateSearch: listState,
  component: lazyRouteComponent(() => import('../../features/crm/bulk/screens/job.tsx'), 'BulkJobScreen'),
});

const person = createRoute({
  getParentRoute: () => desk,
  path: '/people/$person',
  validateSearch: listState,
  component: lazyRouteComponent(() => import('./person-screen.tsx'), 'PersonScreen'),
});

const companies = createRoute({
  getParentRoute: () => desk,
  path: '/companies',
  validateSearch: listState,
  component: lazyRouteComponent(
    () => import('../../features/crm/companies/screens/companies.tsx'),
    'CompaniesScreen',
  ),
});

const company = createRoute({
  getParentRoute: () => desk,
  path: '/companies/$company',
  validateSearch: listState,
  component: lazyRouteComponent(
    () => import('../../features/crm/companies/screens/company.tsx'),
    'CompanyScreen',
  ),
});

export const peopleRoutes = [
  people,
  importPeople,
  imports,
  importBatch,
  bulkJobs,
  bulkJob,
  person,
  companies,
  company,
] as const;
