// Deadlines of the product for a moment: a test of someone who says nothing any more does not wait as long as the product.

/** While `work` runs the limits are these; what was opened before keeps its own. */
export async function withPatience<Limits extends object, T>(
  limits: Limits,
  short: Partial<Limits>,
  work: () => Promise<T>,
): Promise<T> {
  const whole = { ...limits };
  Object.assign(limits, short);
  try {
    return await work();
  } finally {
    Object.assign(limits, whole);
  }
}
