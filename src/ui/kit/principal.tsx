// Who: a person is a round mark with initials, an agent a square violet one, a service a square teal one, the system a grey
// one. Shape and sign differ, not colour alone, because who is an agent is the question this product answers.
import { Bot, Cog, KeyRound } from 'lucide-react';
import classes from './principal.module.css';

export type PrincipalLike = { kind: string; id: string; name: string; on_behalf_of?: { name: string } };

const KINDS: Record<string, { word: string; icon?: typeof Bot }> = {
  person: { word: 'person' },
  agent: { word: 'agent', icon: Bot },
  service: { word: 'service', icon: KeyRound },
  system: { word: 'system', icon: Cog },
};

function initials(name: string): string {
  const words = name
    .trim()
    .split(/[\s.@_-]+/u)
    .filter(Boolean);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters
    .map((word) => String.fromCodePoint(word?.codePointAt(0) ?? 32))
    .join('')
    .toUpperCase();
}

export function Mark({ of, size = 20 }: { of: PrincipalLike; size?: number }) {
  const kind = KINDS[of.kind] ?? { word: of.kind };
  const Icon = kind.icon;
  return (
    <span
      className={classes.mark}
      data-kind={of.kind}
      style={{ width: size, height: size, fontSize: Math.max(9, size * 0.42) }}
      title={`${of.name} (${kind.word})${of.on_behalf_of ? `, on behalf of ${of.on_behalf_of.name}` : ''}`}
      aria-hidden
    >
      {Icon ? <Icon size={Math.round(size * 0.66)} strokeWidth={2} /> : initials(of.name)}
    </span>
  );
}

/** The mark with the name; readers hear the kind of anyone who is no person. */
export function Principal({
  of,
  behalf,
  size = 20,
}: {
  of: PrincipalLike;
  behalf?: PrincipalLike | null;
  size?: number;
}) {
  return (
    <span className={classes.principal}>
      <Mark of={of} size={size} />
      <span className={classes.name}>
        {of.name}
        {of.kind !== 'person' && <span className="unseen"> ({KINDS[of.kind]?.word ?? of.kind})</span>}
      </span>
      {behalf && <span className={classes.behalf}>for {behalf.name}</span>}
    </span>
  );
}
