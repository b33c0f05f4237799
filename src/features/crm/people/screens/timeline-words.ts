// What an entry of a person's history says after the name of who did it: of the record itself, of letters and calls, of campaigns
// and of deals.
import type { TimelineEntry } from '../person-acts.contract.ts';
import { whyReported } from '../../../../ui/kit/causes.ts';
import { FIELD, shownValue } from './words.ts';

type Details = TimelineEntry['details'];
type FieldChange = { field: string; from?: unknown; to?: unknown };

const CHANNEL: Record<string, string> = {
  email: 'a letter',
  form: 'a form',
  sms: 'a text message',
  linkedin: 'a message on LinkedIn',
  call: 'a call',
};

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const quoted = (value: unknown): string => (text(value) === null ? '' : `: “${text(value)}”`);

function touch(details: Details, way: 'from' | 'to'): string {
  const what = CHANNEL[String(details['channel'])] ?? 'a message';
  return `${way === 'from' ? 'received' : 'sent'} ${what} ${way} them${quoted(details['subject'])}`;
}

const inCampaign = (details: Details): string =>
  text(details['campaign']) === null ? 'a campaign' : `“${text(details['campaign'])}”`;
const deal = (details: Details): string =>
  text(details['deal']) === null ? 'a deal' : `the deal “${text(details['deal'])}”`;

function report(what: string, details: Details): string {
  const why = whyReported({ kind: '', cause: text(details['cause']) });
  const status = text(details['status']);
  const said = text(details['cause']) === null ? '' : `: ${why.charAt(0).toLowerCase()}${why.slice(1)}`;
  return `reported that a letter ${text(details['campaign']) === null ? '' : `of “${text(details['campaign'])}” `}${what}${said}${
    status === null ? '' : ` (${status})`
  }`;
}

const SAYS: Record<string, (details: Details) => string> = {
  note: () => 'wrote a note',
  created: () => 'added them',
  changed: (details) => changes(details['changes']),
  address_added: (details) => `added the address ${address(details)}`,
  address_removed: (details) => `removed the address ${address(details)}`,
  merged: () => 'merged another record into this one',
  imported: () => 'imported them',
  touch_in: (details) => touch(details, 'from'),
  touch_out: (details) => touch(details, 'to'),
  touch_note: () => 'left a note in a conversation',
  prospect_enrolled: (details) => `enrolled them in ${inCampaign(details)}`,
  prospect_held: (details) => `put them on hold in ${inCampaign(details)}`,
  prospect_released: (details) => `released them in ${inCampaign(details)}`,
  prospect_stage: (details) =>
    text(details['stage']) === null
      ? `moved them forward in ${inCampaign(details)}`
      : `moved them to ${String(details['stage']).replaceAll('_', ' ')} in ${inCampaign(details)}`,
  prospect_ended: (details) => `ended ${inCampaign(details)} for them`,
  prospect_removed: (details) => `removed them from ${inCampaign(details)}`,
  delivery_hard: (details) => report('bounced', details),
  delivery_soft: (details) => report('was delayed', details),
  delivery_policy: (details) => report('was rejected', details),
  delivery_complaint: (details) => report('led to a complaint', details),
  deal_opened: (details) => `opened ${deal(details)}`,
  deal_changed: (details) => `changed ${deal(details)}`,
  deal_won: (details) => `closed ${deal(details)} as won`,
  deal_lost: (details) => `closed ${deal(details)} as lost`,
  deal_reopened: (details) => `reopened ${deal(details)}`,
};

const address = (details: Details): string => shownValue(details['value'] ?? details['address']);

function changes(given: unknown): string {
  const list = Array.isArray(given) ? (given as FieldChange[]) : [];
  if (list.length === 0) return 'changed the record';
  return list
    .map(({ field, from, to }) => {
      const name = (FIELD[field] ?? field.replace(/^custom\./, '')).toLowerCase();
      return to === null || shownValue(to) === 'None'
        ? `cleared ${name}`
        : from === null || shownValue(from) === 'None'
          ? `set ${name} to ${shownValue(to)}`
          : `changed ${name} from ${shownValue(from)} to ${shownValue(to)}`;
    })
    .join(', ');
}

export const wordsOf = ({ kind, details }: TimelineEntry): string =>
  SAYS[kind]?.(details) ?? kind.replaceAll('_', ' ');
