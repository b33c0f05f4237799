// Headers of http steps that carry a credential: their value is a saved secret’s name, never a literal in the
// definition. And which hosts such a step may reach. Pure.
import type { WorkflowStep } from '../contract.ts';

/** Names of headers that prove who asks. */
const CREDENTIAL =
  /^(proxy-)?authorization$|cookie|token|secret|password|passwd|signature|credential|api-?key|access-?key|auth-?key|(?<!idempotency)-key$|^x-auth|-auth$/i;
const NAMED = /^(?:(Basic|Bearer|Token|ApiKey) )?\{\{ ?secrets\.([a-z][a-z0-9_]{0,39}) ?\}\}$/i;

export const MASKED = '(not shown)';

/** The secret that a header's value names, and the word before it; null where it names none. */
export function secretNamed(value: string): { scheme: string; name: string } | null {
  const found = NAMED.exec(value.trim());
  return found ? { scheme: found[1] ? `${found[1]} ` : '', name: found[2] ?? '' } : null;
}

const headersOf = ({ kind, input }: Pick<WorkflowStep, 'kind' | 'input'>): [string, string][] => {
  const { headers } = input;
  if (kind !== 'http' || typeof headers !== 'object' || headers === null) return [];
  return Object.entries(headers).filter((each): each is [string, string] => typeof each[1] === 'string');
};

/** What is refused when a definition is saved: the name of the header. */
export const literalCredentials = (step: Pick<WorkflowStep, 'kind' | 'input'>): string[] =>
  headersOf(step).flatMap(([name, value]) => (CREDENTIAL.test(name) && !secretNamed(value) ? [name] : []));

/** The headers of a step that name a secret, as its definition writes them: never as a reference filled them in. */
export const secretHeaders = (step: Pick<WorkflowStep, 'kind' | 'input'>) =>
  headersOf(step).flatMap(([header, value]) => {
    const named = secretNamed(value);
    return named ? [{ header, ...named }] : [];
  });

/** Without the headers that name secrets: no other reference of theirs is looked for. */
export function withoutSecrets(step: WorkflowStep): WorkflowStep {
  const named = new Set(secretHeaders(step).map(({ header }) => header));
  if (named.size === 0) return step;
  const left = Object.entries(step.input['headers'] as object).filter(([name]) => !named.has(name));
  return { ...step, input: { ...step.input, headers: Object.fromEntries(left) } };
}

/** As a definition is shown: one that was saved before secrets had names hides what it holds. */
export function maskedInput({ kind, input }: Pick<WorkflowStep, 'kind' | 'input'>): Record<string, unknown> {
  const literal = literalCredentials({ kind, input });
  if (literal.length === 0) return input;
  const headers = { ...(input['headers'] as Record<string, unknown>) };
  for (const name of literal) headers[name] = MASKED;
  return { ...input, headers };
}

export const masked = (steps: readonly WorkflowStep[]): WorkflowStep[] =>
  steps.map((step) => ({ ...step, input: maskedInput(step) }));

/** Those that a definition of an earlier release keeps. */
export const plainCredentials = (steps: readonly WorkflowStep[]): { step: string; header: string }[] =>
  steps.flatMap((step) => literalCredentials(step).map((header) => ({ step: step.id, header })));

/** What a host answered, without the secrets that it was sent: read first, so that no way of writing JSON hides one. */
export function withoutValues(text: string, values: readonly string[]): unknown {
  // A longer one first: it may hold a shorter.
  const forms = [...new Set(values.flatMap(formsOf))].toSorted((a, b) => b.length - a.length);
  const cleared = (said: string): string => forms.reduce((left, form) => left.replaceAll(form, MASKED), said);
  const isEcho = (number: number): boolean =>
    values.some((value) => String(number).includes(value) || Number(value) === number);
  const clear = (value: unknown): unknown => {
    if (typeof value === 'string') return cleared(value);
    if (typeof value === 'number') return isEcho(value) ? MASKED : value;
    if (Array.isArray(value)) return value.map(clear);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [cleared(key), clear(each)]));
  };
  try {
    return clear(JSON.parse(text));
  } catch {
    return cleared(text);
  }
}

/** As it is, and as JSON inside of a text writes it. */
function formsOf(value: string): string[] {
  const quoted = JSON.stringify(value).slice(1, -1);
  return [value, quoted, quoted.replaceAll('/', '\\/')];
}

/** Is it on the list? A path is met on its own and by what is below it; one that hides a slash is met by a host alone. */
/** A host with its port; without one, https at its own port is meant. */
export const placeNamed = (host: string): string => host.replace(/:443$/, '');

/** Where a request goes, as a secret is saved for it. */
export const placeOf = (to: URL): string =>
  placeNamed(`${to.hostname}:${to.port || (to.protocol === 'https:' ? '443' : '80')}`);

export function isListed(listed: readonly string[], to: URL): boolean {
  const port = to.port || (to.protocol === 'https:' ? '443' : '80');
  return listed.some((entry) => {
    const slash = entry.indexOf('/');
    const [host, path] = slash < 0 ? [entry, ''] : [entry.slice(0, slash), entry.slice(slash)];
    if (host !== to.hostname && host !== `${to.hostname}:${port}`) return false;
    if (path === '') return true;
    return !/%2f|%5c|%2e/i.test(to.pathname) && (to.pathname === path || to.pathname.startsWith(`${path}/`));
  });
}
