// Handler of the list of triggers and kinds of steps, generated from the declarations themselves.
import { bind } from '../../../kernel/context.ts';
import { HEARD } from './contract.ts';
import { workflowKinds } from './kinds.contract.ts';
import { isOperationKind, isOwnKind, KINDS, schemaOf } from './step/kinds.rules.ts';
import { outputOf, pathsOf } from './step/outputs.rules.ts';
import { FILTERS } from './step/template.rules.ts';
import { valuesOf } from './triggers/values.rules.ts';

const listed = (values: readonly string[] | null): string[] | null => (values ? [...values] : null);

const TRIGGERS = [
  ...HEARD.map((event) => ({ kind: 'event', event, values: listed(valuesOf({ kind: 'event', event })) })),
  { kind: 'form', event: null, values: listed(valuesOf({ kind: 'form', form_id: '' })) },
  { kind: 'schedule', event: null, values: listed(valuesOf({ kind: 'schedule', cron: '', zone: '' })) },
  { kind: 'manual', event: null, values: null },
];

const OF_STEPS = KINDS.filter((kind) => isOperationKind(kind) || isOwnKind(kind)).map((kind) => ({
  kind,
  takes: Object.entries(schemaOf(kind).shape).map(([name, shape]) =>
    shape.safeParse(undefined).success ? `${name}?` : name,
  ),
  gives: pathsOf(outputOf(kind)),
}));

const kinds = bind(workflowKinds, async () => ({
  triggers: TRIGGERS,
  kinds: OF_STEPS,
  filters: [...FILTERS],
}));

export const kindsHandlers = [kinds];
