// The work board as a feature: its operations, its tools, and the board as a readable resource (specification §2.1).
import type { Feature } from '../../../kernel/app.ts';
import { boardByName } from './by-name.store.ts';
import { cardHandlers } from './card.handlers.ts';
import { exportItems } from './export.handlers.ts';
import { itemHandlers } from './items.handlers.ts';
import { projectHandlers } from './projects.handlers.ts';
import { talkHandlers } from './talk.handlers.ts';
import { workTools } from './tools.ts';

export const work: Feature = {
  name: 'work',
  operations: [...projectHandlers, ...itemHandlers, ...cardHandlers, ...talkHandlers, exportItems],
  tools: workTools,
  by_name: boardByName,
  resources: [
    {
      uri: 'service://work/{project}/board',
      name: 'Work board',
      says: "A project's board: its columns and the cards in them.",
      operation: 'project_board',
      arguments: {},
    },
  ],
};
