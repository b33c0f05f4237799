// What replaces a whole screen: while it is being loaded, when there is none at an address, and when it failed.
import { Button } from '@mantine/core';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { CloudOff, Compass, RotateCw } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { ApiError } from '../client/call.ts';
import { back, useWaiting } from '../client/reach.ts';
import { unsavedIn } from '../kit/leave.ts';
import { Bones, Empty, Trouble } from '../kit/states.tsx';

export function Opening() {
  if (useWaiting()) return <Away />;
  return (
    <div style={{ padding: 24, maxWidth: 720 }}>
      <h1 className="unseen">Loading</h1>
      <Bones lines={5} />
    </div>
  );
}

/** The product does not answer: what is waiting for it goes on by itself. */
const Away = () => (
  <Empty page icon={CloudOff} title={navigator.onLine ? 'Dunnock isn’t responding' : 'You’re offline'}>
    This page opens as soon as the connection is back. Retrying…
  </Empty>
);

/** The same where no frame is around it yet. */
export const OpeningAlone = () => (
  <main id="screen">
    <Opening />
  </main>
);

export const TroubleAlone = (props: ErrorComponentProps) => (
  <main id="screen">
    <RouteTrouble {...props} />
  </main>
);

export function NothingHere() {
  const router = useRouter();
  return (
    <main id="screen">
      <Empty
        page
        icon={Compass}
        title="Page not found"
        action={
          <Button variant="default" onClick={() => void router.navigate({ to: '/' })}>
            Go to Today
          </Button>
        }
      >
        The link may be outdated or incomplete. Try search (⌘K or Ctrl K).
      </Empty>
    </main>
  );
}

/** A part of the screens that cannot be had on this page any more: the product was upgraded, or away when it was asked for. */
const isGone = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|importing a module script|preload CSS/i.test(error.message);

const ONCE_PER_MS = 30_000;
const LOADED = 'dunnock-reloaded';

/** On its own where nothing was typed, and not again and again. */
function reloadOnce(): void {
  try {
    const last = Number(sessionStorage.getItem(LOADED) ?? 0);
    if (unsavedIn().length > 0 || Date.now() - last < ONCE_PER_MS) return;
    sessionStorage.setItem(LOADED, String(Date.now()));
    location.reload();
  } catch {
    // Refused in some private windows: the person does it.
  }
}

function Reload() {
  useEffect(reloadOnce, []);
  return (
    <Empty
      page
      icon={RotateCw}
      title="Reload the page"
      action={<Button onClick={() => location.reload()}>Reload</Button>}
    >
      This part of the page couldn’t be loaded. Reload to continue. Saved work isn’t lost.
    </Empty>
  );
}

/** Not reached, or not ready: it is asked again until it is. */
const passing = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status === 503);

/** A fault of the screen itself says so without inner text; what the product refused is said in its own sentence. */
export function RouteTrouble({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const again = (): void => {
    reset();
    void router.invalidate();
  };
  const tryAgain = useEffectEvent(again);
  const waits = passing(error);
  useEffect(() => {
    if (!waits) return;
    let gone = false;
    void back().then(() => gone || tryAgain());
    return () => {
      gone = true;
    };
  }, [waits]);
  if (waits && error instanceof ApiError && error.status === 0) return <Away />;
  if (error instanceof ApiError) return <Trouble page error={error} again={again} />;
  if (isGone(error)) return <Reload />;
  return (
    <Trouble
      page
      error={new ApiError(500, 'fault', 'Something went wrong on this page. Reload it and try again.')}
      again={again}
    />
  );
}
