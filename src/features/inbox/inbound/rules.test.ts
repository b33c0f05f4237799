// The rules of landing as tables: whose letter is answered, what a reading does, and how long an away message holds.
import { describe, expect, test } from 'vitest';
import { READINGS } from '../../../kernel/events.rules.ts';
import { RANK } from '../../outreach/prospects/spine/spine.rules.ts';
import { type Answering, baseSubject, believed, cluesOf } from './attribution/attribution.rules.ts';
import { awayUntil } from './effects/away.rules.ts';
import { effectsOf } from './effects/effects.rules.ts';

const NOTHING: Answering = { in_reply_to: null, references: [], quoted_ids: [] };
const FULL: Answering = {
  in_reply_to: '<a@x>',
  references: ['<r1@x>', 'r2@x', '<r3@x>'],
  quoted_ids: ['<q@x>'],
};

describe('a reply is attributed by', () => {
  const everything = new Map(['<a@x>', '<r1@x>', '<r2@x>', '<r3@x>', '<q@x>'].map((id) => [id, id] as const));
  const without = (...ids: string[]) => new Map([...everything].filter(([id]) => !ids.includes(id)));
  test.each([
    ['In-Reply-To before all', everything, 'in_reply_to', '<a@x>'],
    ['References, newest first', without('<a@x>'), 'references', '<r3@x>'],
    ['an older one where the newest is not ours', without('<a@x>', '<r3@x>'), 'references', '<r2@x>'],
    ['the VERP recipient', without('<a@x>', '<r1@x>', '<r2@x>', '<r3@x>'), 'verp', 'send'],
  ])('%s', (_, messages, by, place) => {
    const known = { messages, sends: new Map([['send', 'send']]) };
    expect(believed(cluesOf(FULL, ['send']), known)).toEqual({ by, place });
  });

  test('a Message-ID quoted in the body where nothing else leads anywhere, and nothing where that does not either', () => {
    const known = { messages: new Map([['<q@x>', 'q']]), sends: new Map<string, string>() };
    expect(believed(cluesOf(FULL, ['send']), known)).toEqual({ by: 'quoted_id', place: 'q' });
    expect(believed(cluesOf(FULL, []), { messages: new Map(), sends: new Map() })).toBeNull();
    expect(cluesOf(NOTHING, [])).toEqual([]);
  });

  test('the newest hundred of a References field that has no end', () => {
    const references = Array.from({ length: 100_000 }, (_, n) => `<${n}@x>`);
    const clues = cluesOf({ ...NOTHING, references }, []);
    expect(clues).toHaveLength(100);
    expect(clues[0]).toEqual({ by: 'references', message_id: '<99999@x>' });
  });
});

test.each([
  ['Re: Your bridge', 'your bridge'],
  ['RE: AW: SV: your  bridge ', 'your bridge'],
  ['Re[2]: Your bridge', 'your bridge'],
  ['Fwd: Re: Your bridge', 'your bridge'],
  ['回复：Your bridge', 'your bridge'],
  ['Automatic reply: Your bridge', 'your bridge'],
  ['Réponse automatique : Your bridge', 'your bridge'],
  ['Your bridge: re: painted', 'your bridge: re: painted'],
  ['Reply to all', 'reply to all'],
  ['Re:', ''],
])('the subject %o is about %o', (subject, base) => {
  expect(baseSubject(subject)).toBe(base);
});

describe('what a reading does', () => {
  test.each([
    ['positive', 'positive', true, false, false, true],
    ['neutral', 'replied', true, false, false, false],
    ['negative', 'declined', true, false, false, false],
    ['referral', 'replied', true, false, false, false],
    ['unsubscribe', 'unsubscribed', true, true, false, false],
    ['out_of_office', null, false, false, true, false],
    ['unread', 'replied', true, false, false, false],
  ] as const)(
    '%s asks for %o, stops %o, suppresses %o, holds %o, may open a deal %o',
    (reading, stage, stops, suppresses, holds, opens_deal) => {
      expect(effectsOf(reading, 'known')).toEqual({ stage, stops, suppresses, holds, opens_deal });
    },
  );

  test.each(READINGS.filter((reading) => reading !== 'unsubscribe'))(
    'a guessed %s moves no spine past replied and opens no deal',
    (reading) => {
      const { stage, opens_deal } = effectsOf(reading, 'guessed');
      expect(opens_deal).toBe(false);
      expect(stage === null ? 0 : RANK[stage]).toBeLessThanOrEqual(RANK.replied);
    },
  );

  test('an opt-out is the word of whoever writes it, however its letter was found', () => {
    expect(effectsOf('unsubscribe', 'guessed')).toEqual(effectsOf('unsubscribe', 'known'));
  });

  test.each(READINGS)(
    '%s of an address that was typed moves no one past replied, holds nothing',
    (reading) => {
      expect(effectsOf(reading, 'typed')).toEqual({
        ...effectsOf('neutral', 'known'),
        suppresses: reading === 'unsubscribe',
      });
    },
  );
});

describe('an away message holds', () => {
  const NOW = new Date('2026-03-04T15:00:00Z');
  test.each([
    ['back on a Monday, until Tuesday', '2026-03-09', 'UTC', '2026-03-10T00:00:00Z'],
    ['back on a Friday, until Monday', '2026-03-06', 'UTC', '2026-03-09T00:00:00Z'],
    ['back on a Saturday, until Monday', '2026-03-07', 'UTC', '2026-03-09T00:00:00Z'],
    ['in the zone of whoever is away', '2026-03-09', 'America/Los_Angeles', '2026-03-10T07:00:00Z'],
    ['on the far side of the day line', '2026-03-09', 'Pacific/Kiritimati', '2026-03-09T10:00:00Z'],
    ['back yesterday, as it says: seven days', '2026-03-02', 'UTC', '2026-03-11T15:00:00Z'],
    ['no date: seven days', null, 'UTC', '2026-03-11T15:00:00Z'],
    ['a day that is none: seven days', '2026-02-30', 'UTC', '2026-03-11T15:00:00Z'],
    ['years away: seven days', '2031-01-01', 'UTC', '2026-03-11T15:00:00Z'],
    ['nonsense: seven days', '9999-99-99', 'UTC', '2026-03-11T15:00:00Z'],
  ])('%s', (_, returns_on, timezone, until) => {
    expect(awayUntil({ returns_on, timezone }, NOW)).toEqual(new Date(until));
  });
});
