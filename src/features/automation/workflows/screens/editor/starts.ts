// Templates for new workflows: three common ones and a blank one.
import { type WorkflowDraft, type DraftStep } from './draft.rules.ts';
import { newStep } from './kinds.ts';

type Start = { key: string; title: string; says: string; draft: (project: string) => WorkflowDraft };

const steps = (...given: Partial<DraftStep & { kind: Parameters<typeof newStep>[0] }>[]): DraftStep[] =>
  given.map(({ kind = 'notify', id = 'step', input, ...rest }) => {
    const fresh = newStep(kind, id);
    return { ...fresh, ...rest, input: { ...fresh.input, ...input } };
  });

export const STARTS: Start[] = [
  {
    key: 'answers',
    title: 'Work item for every positive reply',
    says: 'When someone replies positively, create a work item.',
    draft: (project) => ({
      name: 'Work item for every positive reply',
      trigger: { kind: 'event', event: 'reply.landed' },
      steps: steps(
        {
          id: 'good',
          kind: 'condition',
          name: 'Is the reply positive?',
          input: { value: '{{ trigger.reading }}', is: 'equals', than: 'positive', otherwise: null },
          next: 'card',
        },
        {
          id: 'card',
          kind: 'create_work_item',
          name: 'Create work item',
          input: { project, title: 'Reply to {{ trigger.person_name }}' },
        },
      ),
    }),
  },
  {
    key: 'morning',
    title: 'Morning summary',
    says: 'Every weekday at 8:00, an agent lists what needs attention in a work item.',
    draft: (project) => ({
      name: 'Morning summary',
      trigger: {
        kind: 'schedule',
        cron: '0 8 * * 1-5',
        zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      },
      steps: steps(
        {
          id: 'look',
          kind: 'agent',
          name: 'Review the day',
          input: {
            message: 'List what needs a person’s attention today in up to ten lines, most urgent first.',
          },
          next: 'card',
        },
        {
          id: 'card',
          kind: 'create_work_item',
          name: 'Create work item',
          input: { project, title: 'What needs attention today', description: '{{ steps.look.text }}' },
        },
      ),
    }),
  },
  {
    key: 'imported',
    title: 'Ask, then enrol',
    says: 'When someone is imported, ask for approval before enrolling them in a campaign.',
    draft: () => ({
      name: 'Ask, then enrol',
      trigger: { kind: 'event', event: 'person.imported' },
      steps: steps(
        {
          id: 'ask',
          kind: 'ask_person',
          name: 'Ask whether to enrol them',
          input: { question: 'Enrol {{ trigger.person_name }}?' },
          next: 'enrol',
        },
        { id: 'enrol', kind: 'enrol', name: 'Enrol in campaign' },
      ),
    }),
  },
];

export const EMPTY: WorkflowDraft = {
  name: '',
  trigger: { kind: 'manual' },
  steps: steps({ id: 'notify', kind: 'notify', name: 'Notify people' }),
};
