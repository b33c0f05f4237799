// Words and small readings that the screens of campaigns share.
import { counted } from '../../../../ui/kit/numbers.ts';
import type { Tone } from '../../../../ui/kit/pills.tsx';
import type { Campaign, CampaignState, Counts, PausedReason, ReviewPolicy } from '../contract.ts';

export const STATE: Record<CampaignState, { title: string; tone: Tone }> = {
  draft: { title: 'Draft', tone: 'mute' },
  active: { title: 'Active', tone: 'good' },
  paused: { title: 'Paused', tone: 'warn' },
  finished: { title: 'Finished', tone: 'info' },
  archived: { title: 'Archived', tone: 'mute' },
};

export const PAUSED: Record<PausedReason, string> = {
  person: 'Paused by a person',
  agent: 'Paused by an agent',
  guardrail_bounce: 'Stopped automatically: too many bounces',
  guardrail_complaint: 'Stopped automatically: too many complaints',
  guardrail_reply: 'Stopped automatically: too few replies',
  pool_empty: 'Stopped: no senders in the pool',
  ended: 'Stopped: the last day has passed',
};

type Keeps = { sentence: string; fix: string; who: 'person' | null };

/** What keeps all of a campaign, whatever becomes of single letters; nothing while it is active. */
export function keeps({ state, paused_reason }: Pick<Campaign, 'state' | 'paused_reason'>): Keeps[] {
  const one = (sentence: string, fix: string): Keeps[] => [{ sentence, fix, who: 'person' }];
  if (state === 'draft')
    return one('The campaign is a draft. No letters go out.', 'Activate the campaign when its checks pass.');
  if (state === 'paused')
    return one(
      `${paused_reason ? PAUSED[paused_reason] : 'The campaign is paused'}.`,
      'Fix the cause, then resume the campaign.',
    );
  if (state === 'finished')
    return one(
      'The campaign is finished: everyone has completed the sequence.',
      'Enrol more people, then resume the campaign.',
    );
  return state === 'archived'
    ? [
        {
          sentence: 'The campaign is archived.',
          fix: 'Clone the campaign to use its steps again.',
          who: null,
        },
      ]
    : [];
}

export const REVIEW: Record<ReviewPolicy, { title: string; says: string }> = {
  every_letter: { title: 'Every letter', says: 'A person reviews every letter.' },
  first_touch: {
    title: 'First letters',
    says: 'A person reviews the first letter to each recipient. The rest go out automatically.',
  },
  changed: {
    title: 'Changed letters',
    says: 'A person reviews a letter if it was edited or its step changed.',
  },
  sample: {
    title: 'A sample',
    says: 'A person reviews the first 20 letters, then a percentage of the rest.',
  },
  none: {
    title: 'No review',
    says: 'Letters go out without review after someone confirms the current steps.',
  },
};

export const WHO = {
  person: 'You or a colleague',
  operator: 'The operator',
  time: 'Clears automatically',
};

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
export const share = (rate: number | null): string => (rate === null ? '–' : percent.format(rate));

/** Fewer letters than this say nothing about a rate. */
const FLOOR = 20;
export const replyRate = ({ replied, contacted }: Counts): number | null =>
  contacted < FLOOR ? null : replied / contacted;

/** What of a campaign asks to be looked at, in a word or two; the weightiest first. */
export function attentionOf({ held, review, uncertain }: Counts): { says: string; tone: Tone }[] {
  const found: [number, string, Tone][] = [
    [uncertain, 'uncertain', 'bad'],
    [held, 'held', 'warn'],
    [review, 'to review', 'info'],
  ];
  return found.flatMap(([n, says, tone]) => (n > 0 ? [{ says: `${counted(n)} ${says}`, tone }] : []));
}
