// Values that each trigger provides to steps, by the name used in {{ trigger.<name> }}. Pure.
import { EVENT_NAMES, type EventName, EVENTS } from '../../../../kernel/events.rules.ts';
import type { Trigger } from '../contract.ts';

export type Heard = Extract<Trigger, { kind: 'event' }>['event'];

/** A principal is read by its parts; a person’s name is looked up from the id when a step asks for it. */
const named = (field: string): string[] => {
  if (field === 'moved_by') return ['moved_by.id', 'moved_by.name', 'moved_by.kind'];
  return field === 'person_id' ? [field, 'person_name'] : [field];
};

/** The event itself carries no thread; a run that a reply starts is given the reply’s. */
const BESIDE: Partial<Record<EventName, readonly string[]>> = { 'reply.landed': ['thread_id'] };

/** When it happened. */
const AT = 'at';

const OF_EVENTS = Object.fromEntries(
  EVENT_NAMES.map((name): [EventName, readonly string[]] => [
    name,
    [...EVENTS[name].fields.flatMap(named), ...(BESIDE[name] ?? []), AT],
  ]),
) as Record<EventName, readonly string[]>;

const OF_HEARD: Record<Heard, readonly string[]> = {
  ...OF_EVENTS,
  'person.imported': ['person_id', 'person_name', 'batch_id', 'outcome', AT],
  'form.submitted': ['person_id', 'person_name', 'thread_id', 'campaign_id', 'form_id', 'touch_id', AT],
};

/** Null: whoever starts the run by hand chooses them. */
export function valuesOf(trigger: Trigger): readonly string[] | null {
  if (trigger.kind === 'event') return OF_HEARD[trigger.event];
  if (trigger.kind === 'form') return OF_HEARD['form.submitted'];
  return trigger.kind === 'schedule' ? ['due_at', AT] : null;
}
