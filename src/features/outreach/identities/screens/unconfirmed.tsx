// A connection that was changed by someone who may not create identities: where it leads, and the button that confirms it.
import { Button } from '@mantine/core';
import { useAct } from '../../../../ui/client/hooks.ts';
import { Time } from '../../../../ui/kit/time.tsx';
import type { Identity } from '../contract.ts';
import { transportValues, transportWishOf } from './transport-fields.tsx';
import { inboundValues, inboundWishOf } from './way-in.tsx';
import { wayIn, outgoingMail } from './words.ts';
import classes from './identities.module.css';

export function Unconfirmed({ identity }: { identity: Identity }) {
  const { transport_unconfirmed_at: out, inbound_unconfirmed_at: inbound } = identity;
  const save = useAct('identity_update', { says: 'Connection confirmed' });
  if (identity.gone_at || (!out && !inbound)) return null;
  const user = (way: Identity['transport'] | Identity['inbound']): string =>
    'user' in way && way.user !== null ? ` as ${way.user}` : '';
  return (
    <div className={classes.notice}>
      {out && (
        <p>
          Outgoing mail: {outgoingMail(identity)}
          {user(identity.transport)}. Someone without permission to create identities changed it:{' '}
          <Time at={out} />
        </p>
      )}
      {inbound && (
        <p>
          Incoming mail: {wayIn(identity)}
          {user(identity.inbound)}. Someone without permission to create identities changed it:{' '}
          <Time at={inbound} />
        </p>
      )}
      <p>Dunnock connects to this server only after you confirm it.</p>
      <Button
        variant="default"
        loading={save.isPending}
        onClick={() =>
          save.mutate({
            identity: identity.id,
            revision: identity.revision,
            ...(out && { transport: transportWishOf(transportValues(identity.transport)) }),
            ...(inbound && { inbound: inboundWishOf(inboundValues(identity)) }),
          })
        }
      >
        Confirm connection
      </Button>
    </div>
  );
}
