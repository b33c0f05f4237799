// Drawers and dialogs that are loaded when they are first needed, and stay from then on, so that they close gracefully and
// open at once the next time. Keeps what a list loads at first to what is in sight.
import { lazy, Suspense, useState, type ComponentType } from 'react';

export function later<P extends object>(
  load: () => Promise<ComponentType<P>>,
  needed: (props: P) => boolean,
): ComponentType<P> {
  const Loaded = lazy(async () => ({ default: await load() }));
  return function Later(props: P) {
    const [since, setSince] = useState(false);
    if (!since && needed(props)) setSince(true);
    return since ? (
      <Suspense>
        <Loaded {...props} />
      </Suspense>
    ) : null;
  };
}
