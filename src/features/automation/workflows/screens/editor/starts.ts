// Where a new workflow may start from: three that are often wanted, and one that is empty.
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
    title: 'A card for every good answer',
    says: 'When somebody answers and means yes, a card is put on the work board.',
    draft: (project) => ({
      name: 'A card for every good answer',
      trigger: { kind: 'event', event: 'reply.landed' },
      steps: steps(
        {
          id: 'good',
          kind: 'condition',
          name: 'Is it a yes?',
          input: { value: '{{ trigger.reading }}', is: 'equals', than: 'positive', otherwise: null },
          next: 'card',
        },
        {
          id: 'card',
          kind: 'create_work_item',
          name: 'A card to answer',
          input: { project, title: 'Answer {{ trigger.person_name }}' },
        },
      ),
    }),
  },
  {
    key: 'morning',
    title: 'A look at the morning',
    says: 'Monday to Friday at eight, an agent looks at what needs people and puts it on a card.',
    draft: (project) => ({
      name: 'A look at the morning',
      trigger: {
        kind: 'schedule',
        cron: '0 8 * * 1-5',
        zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      },
      steps: steps(
        {
          id: 'look',
          kind: 'agent',
          name: 'Look around',
          input: { message: 'Say in ten lines what needs a person today, the most urgent first.' },
          next: 'card',
        },
        {
          id: 'card',
          kind: 'create_work_item',
          name: 'On a card',
          input: { project, title: 'What needs us today', description: '{{ steps.look.text }}' },
        },
      ),
    }),
  },
  {
    key: 'imported',
    title: 'Ask, then enrol',
    says: 'When somebody is imported, a person is asked; who says yes puts them into a campaign.',
    draft: () => ({
      name: 'Ask, then enrol',
      trigger: { kind: 'event', event: 'person.imported' },
      steps: steps(
        {
          id: 'ask',
          kind: 'ask_person',
          name: 'Ask whether to write to them',
          input: { question: 'Write to {{ trigger.person_name }}?' },
          next: 'enrol',
        },
        { id: 'enrol', kind: 'enrol', name: 'Into the campaign' },
      ),
    }),
  },
];

export const EMPTY: WorkflowDraft = {
  name: '',
  trigger: { kind: 'manual' },
  steps: steps({ id: 'notify', kind: 'notify', name: 'Tell people' }),
};
