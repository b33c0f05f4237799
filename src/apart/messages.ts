// Messages between the process and its reading threads.

export type Asked = { job: string; given: unknown };

/** `begun`: the job's module is loaded, and from now on its time counts. `used_ms`: of the processor, by the thread so far. */
export type Said =
  | { kind: 'begun'; used_ms: number }
  | { kind: 'done'; made: unknown }
  | { kind: 'fault'; says: string };
