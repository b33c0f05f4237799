// One token with everything known of it, and its end: nothing of a token can be changed, it is revoked and minted again.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../../../../ui/client/hooks.ts';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { DetailDrawer, Facts } from '../../../../ui/kit/detail-drawer.tsx';
import { Principal } from '../../../../ui/kit/principal.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { TokenRow } from '../contract.ts';
import { SCOPES } from './scopes.ts';
import { ActsAs, Expiry } from './token-parts.tsx';

export function TokenDrawer({ token, onClose }: { token: TokenRow | null; onClose: () => void }) {
  // The last one stays in sight while the drawer closes.
  const [shown, setShown] = useState(token);
  if (token && token !== shown) setShown(token);
  const revoke = useAct('token_delete', {
    says: 'The token is revoked; its next request is refused.',
    onSuccess: onClose,
  });
  const ask = async ({ id, name }: TokenRow): Promise<void> => {
    const yes = await confirm({
      title: `Revoke "${name}"?`,
      says: 'Whatever works with it is refused from its next request on. A revoked token cannot be brought back, only another one minted.',
      act: 'Revoke',
      tone: 'bad',
    });
    if (yes) revoke.mutate({ token: id });
  };
  return (
    <DetailDrawer title={shown?.name} opened={token !== null} onClose={onClose}>
      {shown && (
        <>
          <Facts
            of={[
              ['Mode', shown.mode === 'user' ? 'Bound to a user' : 'Service'],
              ['Acts as', <ActsAs key="acts" token={shown} />],
              ['Scopes', <ScopesInWords key="scopes" token={shown} />],
              ['Value', <code key="hint">nck_…{shown.hint}</code>],
              ['Expires', <Expiry key="expires" at={shown.expires_at} />],
              ['Last used', <Time key="used" at={shown.last_used_at} />],
              ['Agent since', <AgentSince key="agent" token={shown} />],
              ['Minted', <Time key="minted" at={shown.created_at} />],
              ['Minted by', <Principal key="by" of={shown.created_by} size={18} />],
            ]}
          />
          <Button
            color="red"
            variant="light"
            mt={20}
            loading={revoke.isPending}
            onClick={() => void ask(shown)}
          >
            Revoke
          </Button>
        </>
      )}
    </DetailDrawer>
  );
}

function ScopesInWords({ token }: { token: TokenRow }) {
  const words = [token.scopes.wire && SCOPES.wire.title, token.scopes.scripts && SCOPES.scripts.title].filter(
    Boolean,
  );
  return <>{words.length ? words.join('. ') : 'None: the sixteen acts and scripts are refused'}</>;
}

const AgentSince = ({ token }: { token: TokenRow }) =>
  token.mode === 'service' ? (
    <>Always: a service token counts as an agent</>
  ) : token.first_agent_turn_at ? (
    <Time at={token.first_agent_turn_at} />
  ) : (
    <>Not yet: until its first call as an agent it decides as the person does</>
  );
