// Records that an activation grants wire to by name. Activating a workflow that needs wire means having read them, and editing
// them needs no wire. So the version saves a mark of each, and a step that acts on a changed record waits for a person. Pure.
import type { WorkflowStep, Trigger } from '../contract.ts';
import { needsWire } from '../step/kinds.rules.ts';
import { isTemplated } from '../step/template.rules.ts';

/**
 * Every name that a step or a trigger of a workflow with wire can hold, and what vouches for it:
 *
 * | named by               | what is marked                                                                            |
 * |------------------------|-------------------------------------------------------------------------------------------|
 * | enrol: segment         | its revision: who is in it follows from its filter                                        |
 * | enrol: people          | the address that each is written to                                                       |
 * | enrol: campaign        | its steps, settings, review policy, pool and postal address                               |
 * | a campaign's pool      | of each identity its name, addresses, signature and connection                            |
 * | agent: agent           | what it is told, its tools and its model: what it answers may be what a later step enrols |
 * | an agent's tools       | of each capability its address, and the tools that someone agreed to                     |
 * | trigger: form          | the campaign, the identity and whether it is open: what a post of it sets off             |
 *
 * Not marked, because nothing that acts later reads them by name: sequence templates and snippets are copied into a campaign's
 * steps or an answer; a script, a request and a question are word for word in the version; a project, a pipeline, a person or
 * a thread that a step without wire names is acted on with the rights of whoever activated it, which are looked up each time.
 * What a reference fills in while a run goes on (`{{ trigger.campaign_id }}`) was left open by whoever activated it.
 */
export const GIVEN_KINDS = [
  'segment',
  'person',
  'campaign',
  'identity',
  'agent',
  'capability',
  'form',
] as const;
export type GivenKind = (typeof GIVEN_KINDS)[number];

export type NamedRecord = { kind: GivenKind; id: string };
export type GivenRecord = NamedRecord & { mark: string };

/** As a sentence names each. */
export const GIVEN_WORD: Record<GivenKind, string> = {
  segment: 'a segment',
  person: 'the address of a person',
  campaign: 'a campaign',
  identity: 'a sender of a campaign',
  agent: 'an agent',
  capability: 'a tool server of an agent',
  form: 'the form',
};

/** An agent is named by its id or its name; the built-in one by `''`. */
export function namesIn(trigger: Trigger, steps: readonly WorkflowStep[]): NamedRecord[] {
  if (!needsWire(steps)) return [];
  const named: NamedRecord[] = trigger.kind === 'form' ? [{ kind: 'form', id: trigger.form_id }] : [];
  const add = (kind: GivenKind, said: unknown): void => {
    if (typeof said !== 'string' || isTemplated(said)) return;
    const id = kind === 'agent' ? said.trim() : said.toLowerCase();
    if (!named.some((each) => each.kind === kind && each.id === id)) named.push({ kind, id });
  };
  for (const { kind, input } of steps) {
    if (kind === 'agent') add('agent', input['agent'] ?? '');
    if (kind !== 'enrol') continue;
    add('campaign', input['campaign']);
    add('segment', input['segment']);
    if (Array.isArray(input['people'])) for (const person of input['people']) add('person', person);
  }
  return named;
}

/** What became another since it was given: the first of it, or null. */
export function changedOf(given: readonly GivenRecord[], now: readonly GivenRecord[]): GivenKind | null {
  const marks = new Map(now.map(({ kind, id, mark }) => [`${kind} ${id}`, mark]));
  const same = ({ kind, id, mark }: GivenRecord): boolean => marks.get(`${kind} ${id}`) === mark;
  const added = now.find(({ kind, id }) => !given.some((each) => each.kind === kind && each.id === id));
  return given.find((each) => !same(each))?.kind ?? added?.kind ?? null;
}
