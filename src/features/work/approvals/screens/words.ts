// What the screens of approvals say of a proposal.
export const PROPOSED = {
  done: 'Done. The result is shown only once',
  plan_done: (steps: number) => `Done. All ${steps} steps were performed`,
  answers: 'Show results',
  effect: 'What happens',
  nothing: 'Nothing that is counted changes.',
  not_rehearsed: 'This can’t be rehearsed.',
  refused: 'It would be refused now:',
  differs: 'Changed since it was proposed:',
  event: 'event',
  events: 'events',
  why: 'The proposer’s words',
  expires: 'Expires',
  steps: 'Steps',
  show_all: (count: number) => `Show all ${count} steps`,
  from: (step: number, field: string) => `the ${field} from step ${step}`,
};
