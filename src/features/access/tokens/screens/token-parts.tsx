// Parts of a token that its list and its drawer show alike: whom it acts as, what it reaches, when it ends.
import { useState } from 'react';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Principal } from '../../../../ui/kit/principal.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { TokenRow } from '../contract.ts';
import { SCOPES } from './scopes.ts';
import classes from './tokens.module.css';

const SOON_MS = 7 * 24 * 60 * 60 * 1000;

export function ActsAs({ token }: { token: TokenRow }) {
  if (token.mode === 'user' && token.user_id)
    return (
      <Principal of={{ kind: 'person', id: token.user_id, name: token.user_name ?? 'Unknown' }} size={18} />
    );
  if (token.policies.length === 0) return <Pill tone="warn">No policies: can’t do anything</Pill>;
  return (
    <span className={classes.pills}>
      {token.policies.map((name) => (
        <Pill key={name}>{name}</Pill>
      ))}
    </span>
  );
}

export function Scopes({ token }: { token: TokenRow }) {
  const { wire, scripts } = token.scopes;
  if (!wire && !scripts) return <span className={classes.none}>None</span>;
  return (
    <span className={classes.pills}>
      {wire && (
        <Pill tone="warn" title={SCOPES.wire.title}>
          wire
        </Pill>
      )}
      {scripts && (
        <Pill tone="agent" title={SCOPES.scripts.title}>
          scripts
        </Pill>
      )}
    </span>
  );
}

export function Expiry({ at }: { at: string | null }) {
  // Read once: a row says what held when the list was opened.
  const [now] = useState(() => Date.now());
  const left = at ? new Date(at).getTime() - now : null;
  if (left !== null && left <= 0) return <Pill tone="bad">Expired</Pill>;
  const soon = left !== null && left < SOON_MS;
  return (
    <span style={soon ? { color: 'var(--warn)', fontWeight: 500 } : {}}>
      <Time at={at} />
    </span>
  );
}
