// People as a feature. It is made with the features that keep rows of a person, because it leans on none of them.
import type { Feature } from '../../../kernel/house.ts';
import { actHandlers } from './acts.handlers.ts';
import { exportPeople } from './export.handlers.ts';
import type { PersonHolder } from './holders.ts';
import { peopleHandlers } from './people.handlers.ts';
import { peopleTools } from './tools.ts';

export const people = (holders: readonly PersonHolder[]): Feature => ({
  name: 'people',
  operations: [...peopleHandlers(holders), ...actHandlers(holders), exportPeople],
  tools: peopleTools,
});
