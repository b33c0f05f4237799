// Trace spans for operators. They contain only names and numbers that the app sets itself, never values that someone sent.
export type SpanFacts = Readonly<Record<string, string | number | boolean>>;

export type Trace = {
  /** Runs `work` in a span below the one that is open; one that throws is marked as failed, without its text. */
  span<T>(name: string, facts: SpanFacts, work: (add: (more: SpanFacts) => void) => Promise<T>): Promise<T>;
};

export const NO_TRACE: Trace = { span: (_name, _facts, work) => work(() => undefined) };
