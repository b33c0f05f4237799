// What narrows the activity: only refusals, only what changed something, who, about what, by which route, since when. All of it
// is in the address.
import { Button, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useState, type RefObject } from 'react';
import { useRead } from '../../../../ui/client/hooks.ts';
import type { Takes } from '../../../../ui/client/call.ts';
import { useMe } from '../../../../ui/client/session.ts';
import type { ListState } from '../../../../ui/shell/list-state.ts';
import { NOUN, NOUNS, OUTCOMES, SURFACE, SURFACES } from './words.ts';

export type ActivityQuery = Partial<Record<keyof ListState, string | undefined>>;

export const SINCE: Record<string, { title: string; ms: number }> = {
  hour: { title: 'Last hour', ms: 3_600_000 },
  day: { title: 'Last 24 hours', ms: 86_400_000 },
  week: { title: 'Last 7 days', ms: 7 * 86_400_000 },
  month: { title: 'Last 30 days', ms: 30 * 86_400_000 },
};

const oneOf = <T extends string>(all: readonly T[], said: string | undefined): T | undefined =>
  all.find((each) => each === said);

/** The minute is enough: an address that is read again within it asks the same question. */
const MINUTE_MS = 60_000;

/** What is asked of the product for this address. */
export function askedOf(search: ListState, now: number): Takes<'activity_list'> {
  const outcome = oneOf(OUTCOMES, search.outcome);
  const surface = oneOf(SURFACES, search.surface);
  const noun = oneOf(NOUNS, search.noun);
  const since = SINCE[search.since ?? ''];
  return {
    ...(search.view === 'acts' ? { show: 'acts' } : search.view === 'reads' ? { show: 'reads' } : {}),
    ...(outcome ? { outcome } : {}),
    ...(surface ? { surface } : {}),
    ...(search.act ? { act: search.act } : {}),
    ...(search.actor ? { actor: search.actor } : {}),
    ...(noun ? { noun } : {}),
    ...(noun && search.id ? { id: search.id } : {}),
    ...(since ? { from: new Date(now - (now % MINUTE_MS) - since.ms).toISOString() } : {}),
  };
}

type FiltersProps = {
  search: ListState;
  field: RefObject<HTMLInputElement | null>;
  change: (next: ActivityQuery) => void;
};

export function Filters({ search, field, change }: FiltersProps) {
  const shown = oneOf(OUTCOMES, search.outcome) ?? oneOf(['acts', 'reads'] as const, search.view) ?? 'all';
  return (
    <>
      <SegmentedControl
        aria-label="Show"
        size="xs"
        value={shown}
        onChange={(value) => {
          const outcome = oneOf(OUTCOMES, value);
          change({ outcome, view: outcome || value === 'all' ? undefined : value });
        }}
        data={[
          { value: 'all', label: 'All' },
          { value: 'acts', label: 'Acts' },
          { value: 'reads', label: 'Reads' },
          { value: 'refused', label: 'Refused' },
          { value: 'invalid', label: 'Invalid input' },
          { value: 'fault', label: 'Errors' },
        ]}
      />
      <Actors actor={search.actor} change={change} />
      <NativeSelect
        aria-label="About"
        value={oneOf(NOUNS, search.noun) ?? ''}
        onChange={(event) => change({ noun: event.currentTarget.value || undefined, id: undefined })}
        data={[
          { value: '', label: 'All records' },
          ...NOUNS.map((noun) => ({ value: noun, label: NOUN[noun] })),
        ]}
      />
      <NativeSelect
        aria-label="Since"
        value={search.since ?? ''}
        onChange={(event) => change({ since: event.currentTarget.value || undefined })}
        data={[
          { value: '', label: 'Any time' },
          ...Object.entries(SINCE).map(([value, { title }]) => ({ value, label: title })),
        ]}
      />
      <NativeSelect
        aria-label="Source"
        value={oneOf(SURFACES, search.surface) ?? ''}
        onChange={(event) => change({ surface: event.currentTarget.value || undefined })}
        data={[
          { value: '', label: 'All sources' },
          ...SURFACES.map((one) => ({ value: one, label: SURFACE[one] ?? one })),
        ]}
      />
      <ActFilter
        key={search.act ?? ''}
        field={field}
        act={search.act ?? ''}
        onChange={(act) => change({ act: act || undefined })}
      />
    </>
  );
}

/** People and tokens, for whoever may list them; someone else is there as one who was chosen elsewhere. */
function Actors({ actor, change }: { actor: string | undefined; change: (next: ActivityQuery) => void }) {
  const me = useMe();
  const options = { enabled: me.admin, stale_ms: 60_000 };
  const users = useRead('user_list', { limit: 200 }, options).data?.items ?? [];
  const tokens = useRead('token_list', { limit: 200 }, options).data?.items ?? [];
  const known = [...users, ...tokens].some(({ id }) => id === actor);
  if (!me.admin && actor === undefined) return null;
  if (!me.admin)
    return (
      <Button variant="light" color="gray" size="xs" onClick={() => change({ actor: undefined })}>
        Show everyone
      </Button>
    );
  const of = (rows: readonly { id: string; name: string }[]) =>
    rows.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <NativeSelect
      aria-label="Who"
      value={actor ?? ''}
      onChange={(event) => change({ actor: event.currentTarget.value || undefined })}
      data={[
        { value: '', label: 'Anyone' },
        ...(actor !== undefined && !known ? [{ value: actor, label: 'Selected actor' }] : []),
        { group: 'People', items: of(users) },
        { group: 'Tokens', items: of(tokens) },
      ]}
    />
  );
}

type ActFilterProps = {
  field: RefObject<HTMLInputElement | null>;
  act: string;
  onChange: (act: string) => void;
};

/** An act is found by its whole name, so it is sent with Enter or on leaving the field, not letter by letter. */
function ActFilter({ field, act, onChange }: ActFilterProps) {
  const [text, setText] = useState(act);
  const send = (): void => {
    if (text.trim() !== act) onChange(text.trim());
  };
  return (
    <TextInput
      ref={field}
      aria-label="Act"
      placeholder="Act, such as token_mint"
      leftSection={<Search size={14} aria-hidden />}
      w={210}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={send}
      onKeyDown={(event) => event.key === 'Enter' && send()}
    />
  );
}
