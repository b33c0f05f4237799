// The addresses of people and of the companies they work for.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { desk } from './desk-route.tsx';
import { listState } from './list-state.ts';

const people = createRoute({
  getParentRoute: () => desk,
  path: '/people',
  validateSearch: listState,
  component: lazyRouteComponent(() => import('../../features/people/screens/people.tsx'), 'PeopleScreen'),
});

const person = createRoute({
  getParentRoute: () => desk,
  path: '/people/$person',
  validateSearch: listState,
  component: lazyRouteComponent(() => import('../../features/people/screens/person.tsx'), 'PersonScreen'),
});

const companies = createRoute({
  getParentRoute: () => desk,
  path: '/companies',
  validateSearch: listState,
  component: lazyRouteComponent(
    () => import('../../features/companies/screens/companies.tsx'),
    'CompaniesScreen',
  ),
});

const company = createRoute({
  getParentRoute: () => desk,
  path: '/companies/$company',
  validateSearch: listState,
  component: lazyRouteComponent(
    () => import('../../features/companies/screens/company.tsx'),
    'CompanyScreen',
  ),
});

export const peopleRoutes = [people, person, companies, company] as const;
