// Assembles a turn from its change notifications as they arrive, from the beginning or again from the beginning after
// a break. Pure.
import type { ShownTurn } from '../contract.ts';
import type { ChatEvent } from '../../../inbox/threads/chat.contract.ts';

export type LiveTurn = Omit<ShownTurn, 'agent_id' | 'created_at'> & {
  /** The stream began again: what it tells next of the text is in place of what is there. */
  again: boolean;
};

/** Null while nothing of a turn was told. */
export function heardOf(turn: LiveTurn | null, changes: ChatEvent): LiveTurn | null {
  if (changes.type === 'turn') {
    const { thread_id, turn_id: id, agent, model, message } = changes;
    if (turn?.id === id) return { ...turn, again: true };
    return {
      id,
      thread_id,
      agent,
      model,
      message,
      text: '',
      used: [],
      state: 'running',
      sentence: null,
      again: false,
    };
  }
  if (turn?.id !== changes.turn_id) return turn;
  if (changes.type === 'text')
    return { ...turn, text: turn.again ? changes.text : turn.text + changes.text, again: false };
  if (changes.type === 'end')
    return { ...turn, text: changes.text, state: changes.state, sentence: changes.sentence, again: false };
  const { type: _, turn_id: __, place, ...used } = changes;
  return { ...turn, used: Object.assign([...turn.used], { [place]: used }) };
}

type Seen = LiveTurn | ShownTurn;

/** Listed turns, oldest first, with the one that is followed in its place: as it is told, unless the list knows its end. */
export function withLive(listed: readonly ShownTurn[], live: LiveTurn | null): Seen[] {
  const turns: Seen[] = listed.toReversed();
  if (!live) return turns;
  const at = turns.findIndex(({ id }) => id === live.id);
  if (at < 0) return [...turns, live];
  return turns[at]?.state === 'running' ? turns.with(at, live) : turns;
}

export type TurnPart =
  | { kind: 'text'; text: string }
  | { kind: 'use'; place: number; use: ShownTurn['used'][number] };

/** What was said and which tools were used, in the order in which it happened. */
export function partsOf({ text, used }: Pick<ShownTurn, 'text' | 'used'>): TurnPart[] {
  const parts: TurnPart[] = [];
  let from = 0;
  for (const [place, use] of used.entries()) {
    const said = text.slice(from, Math.max(use.at, from));
    if (said.trim()) parts.push({ kind: 'text', text: said });
    parts.push({ kind: 'use', place, use });
    from = Math.max(use.at, from);
  }
  const last = text.slice(from);
  if (last.trim()) parts.push({ kind: 'text', text: last });
  return parts;
}

/** Where the next step is, by what the product's own sentence names. */
export function placeNamed(
  sentence: string,
): { to: '/settings/agents' | '/settings/integrations'; title: string } | null {
  if (sentence.includes('Settings → Agents & models'))
    return { to: '/settings/agents', title: 'Agents & models' };
  if (sentence.includes('Settings → Integrations'))
    return { to: '/settings/integrations', title: 'Integrations' };
  return null;
}

/** What one says to let it continue, where that is what its sentence asks for. */
export const goesOn = ({ state, sentence }: Pick<ShownTurn, 'state' | 'sentence'>): boolean =>
  state === 'stalled' || (sentence?.includes('say "go on"') ?? false);
