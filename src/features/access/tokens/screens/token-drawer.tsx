// One token with everything known of it, and its end: nothing of a token can be changed, it is revoked and minted again.
import { useAct } from '../../../../ui/client/hooks.ts';
import { Facts } from '../../../../ui/kit/detail-drawer.tsx';
import { RecordDrawer, RemoveButton } from '../../../../ui/kit/record-drawer.tsx';
import { Principal } from '../../../../ui/kit/principal.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { TokenRow } from '../contract.ts';
import { SCOPES } from './scopes.ts';
import { ActsAs, Expiry } from './token-parts.tsx';

export function TokenDrawer({ token, onClose }: { token: TokenRow | null; onClose: () => void }) {
  const revoke = useAct('token_delete', {
    says: 'Token revoked. It no longer works.',
    onSuccess: onClose,
  });
  return (
    <RecordDrawer record={token} onClose={onClose} id={({ id }) => id} title={({ name }) => name}>
      {(shown) => (
        <>
          <Facts
            of={[
              ['Mode', shown.mode === 'user' ? 'Bound to a user' : 'Service'],
              ['Acts as', <ActsAs key="acts" token={shown} />],
              ['Scopes', <ScopesInWords key="scopes" token={shown} />],
              ['Value', <code key="hint">nck_…{shown.hint}</code>],
              ['Expires', <Expiry key="expires" at={shown.expires_at} />],
              ['Last used', <Time key="used" at={shown.last_used_at} />],
              ['First agent turn', <AgentSince key="agent" token={shown} />],
              ['Minted', <Time key="minted" at={shown.created_at} />],
              ['Minted by', <Principal key="by" of={shown.created_by} size={18} />],
            ]}
          />
          <RemoveButton
            word="Revoke"
            question={{
              title: `Revoke "${shown.name}"?`,
              says: 'Anything that uses this token stops working. You can mint a new token, but this can’t be undone.',
              act: 'Revoke',
            }}
            busy={revoke.isPending}
            remove={() => revoke.mutate({ token: shown.id })}
            mt={20}
          />
        </>
      )}
    </RecordDrawer>
  );
}

function ScopesInWords({ token }: { token: TokenRow }) {
  const words = [token.scopes.wire && SCOPES.wire.title, token.scopes.scripts && SCOPES.scripts.title].filter(
    Boolean,
  );
  return <>{words.length ? words.join('. ') : 'None: the 16 acts and scripts are refused'}</>;
}

const AgentSince = ({ token }: { token: TokenRow }) =>
  token.mode === 'service' ? (
    <>A service token always counts as an agent</>
  ) : token.first_agent_turn_at ? (
    <Time at={token.first_agent_turn_at} />
  ) : (
    <>None yet. Until an agent uses this token, its calls count as the person’s.</>
  );
