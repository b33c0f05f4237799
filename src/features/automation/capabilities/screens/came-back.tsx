// Return from another party’s sign-in page: redeems the code once, removes it from the address and shows the result.
import { Button, Loader } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { CircleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useAct } from '../../../../ui/client/hooks.ts';
import classes from './capabilities.module.css';

/** A state is good once, whatever is drawn twice. */
const redeemed = new Set<string>();

const REFUSED = 'Sign-in was refused or canceled, so nothing was connected. Open the server to try again.';

export function CameBack({ open }: { open: (id: string) => Promise<void> }) {
  const { state, code, iss, refused } = useSearch({ from: '/desk/settings/capabilities' });
  const navigate = useNavigate({ from: '/settings/capabilities' });
  const [says, setSays] = useState<string | null>(null);
  const refresh = useAct('capability_refresh');
  const finish = useAct('capability_finish', {
    quiet: true,
    says: ({ title }) => `Signed in to ${title}.`,
    onSuccess: (capability) => {
      if (capability.refreshed_at === null) refresh.mutate({ capability: capability.id });
      void open(capability.id);
    },
    onError: ({ sentence }) => setSays(sentence),
  });
  const { mutate } = finish;
  // It is out of the address a moment later, and stays said.
  if (refused !== undefined && says !== REFUSED) setSays(REFUSED);
  useEffect(() => {
    const comes = refused !== undefined || (state !== undefined && code !== undefined);
    if (!comes) return;
    if (state !== undefined && code !== undefined && !redeemed.has(state)) {
      redeemed.add(state);
      mutate({ state, code, ...(iss !== undefined && { iss }) });
    }
    void navigate({ search: {}, replace: true });
  }, [state, code, iss, refused, mutate, navigate]);
  if (finish.isPending)
    return (
      <p className={classes.back} role="status">
        <Loader size={14} aria-hidden /> Finishing the sign-in…
      </p>
    );
  return (
    <div role="alert">
      {says !== null && (
        <p className={classes.back} data-bad>
          <CircleAlert size={16} aria-hidden />
          <span>{says}</span>
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setSays(null)}>
            Dismiss
          </Button>
        </p>
      )}
    </div>
  );
}
