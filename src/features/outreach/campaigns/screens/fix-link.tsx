// Where a failing check of an activation is fixed: a tab of the campaign, or a page of the settings.
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { CheckCode } from '../checks.contract.ts';
import type { TabName } from './tab.ts';

type Place =
  | { tab: TabName; says: string }
  | { to: '/settings/identities' | '/settings/domains'; says: string };

const STEPS = { tab: 'steps', says: 'Open steps' } as const;
const SETTINGS = { tab: 'settings', says: 'Open settings' } as const;
const PEOPLE = { tab: 'people', says: 'Open people' } as const;
const DOMAINS = { to: '/settings/domains', says: 'Open domains' } as const;

/** What only the operator changes leads nowhere. */
const PLACES: Record<CheckCode, Place | null> = {
  sequence_empty: STEPS,
  steps_valid: STEPS,
  missing_variables: STEPS,
  pool_empty: SETTINGS,
  window_never_opens: SETTINGS,
  ended: SETTINGS,
  postal_address: SETTINGS,
  review_confirmation_stale: SETTINGS,
  eased: SETTINGS,
  unsubscribe: SETTINGS,
  ends_before_finish: SETTINGS,
  identity_inactive: { to: '/settings/identities', says: 'Open identities' },
  domain_paused: DOMAINS,
  auth_failing: DOMAINS,
  auth_unknown: DOMAINS,
  no_people: PEOPLE,
  missing_basis: PEOPLE,
  no_address: PEOPLE,
  unverified_people: PEOPLE,
  suppressed_people: PEOPLE,
  sending_switched_off: null,
  base_url_local: null,
};

type FixLinkProps = { code: CheckCode; sentence: string; go: (tab: TabName) => void };

export function FixLink({ code, sentence, go }: FixLinkProps) {
  const place = PLACES[code];
  if (!place) return null;
  const look = {
    variant: 'default',
    size: 'compact-sm',
    'aria-label': `${place.says}: ${sentence}`,
  } as const;
  return 'tab' in place ? (
    <Button {...look} onClick={() => go(place.tab)}>
      {place.says}
    </Button>
  ) : (
    <Button {...look} component={Link} to={place.to}>
      {place.says}
    </Button>
  );
}
