// What replaces a whole screen: while it is being loaded, when there is none at an address, and when it failed.
import { Button } from '@mantine/core';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { Compass, RotateCw } from 'lucide-react';
import { ApiError } from '../client/call.ts';
import { Bones, Empty, Trouble } from '../kit/states.tsx';

export function Opening() {
  return (
    <div style={{ padding: 24, maxWidth: 720 }}>
      <h1 className="unseen">Loading</h1>
      <Bones lines={5} />
    </div>
  );
}

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

/** A part of the screens that was there when this page was opened, and is no longer: Dunnock was upgraded since. */
const isGone = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|importing a module script|preload CSS/i.test(error.message);

const Upgraded = () =>
  navigator.onLine ? (
    <Empty
      page
      icon={RotateCw}
      title="Reload the page"
      action={<Button onClick={() => location.reload()}>Reload</Button>}
    >
      This part of Dunnock couldn’t be loaded, probably because it was upgraded while the page was open. Saved
      work isn’t lost.
    </Empty>
  ) : (
    <Trouble
      page
      error={new ApiError(0, 'unreachable', 'You’re offline, and this screen hasn’t loaded yet.')}
      again={() => location.reload()}
    />
  );

/** A fault of the screen itself says so without inner text; what the product refused is said in its own sentence. */
export function RouteTrouble({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const again = (): void => {
    reset();
    void router.invalidate();
  };
  if (error instanceof ApiError) return <Trouble page error={error} again={again} />;
  if (isGone(error)) return <Upgraded />;
  return (
    <Trouble
      page
      error={new ApiError(500, 'fault', 'Something went wrong on this page. Reload it and try again.')}
      again={again}
    />
  );
}
