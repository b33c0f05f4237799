// Why something waits for a person, in one sentence. Pure.
import type { Approval } from '../contract.ts';

export function whyHere({ kind, requested_by }: Pick<Approval, 'kind' | 'requested_by'>): string {
  const { kind: who, on_behalf_of: person } = requested_by;
  const name = person ? `${requested_by.name}, on behalf of ${person.name},` : requested_by.name;
  if (kind === 'workflow_step')
    return `A workflow run is waiting: ${name} continues only if a person approves.`;
  if (kind === 'chat_action' || kind === 'proposal')
    return `${name} proposes this. If you approve, it runs with your permissions.`;
  if (who === 'person') return `${name} asked for a review.`;
  return `${name} marked this as finished. Work by ${who === 'service' ? 'a program' : 'an agent'} is done once a person approves it.`;
}
