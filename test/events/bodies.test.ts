// I8: an event carries ids and the listed fields. Whatever strings mail, cards and names hold, only the listed ones are in it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  EVENT_NAMES,
  READINGS,
  eventBody,
  type EventData,
  type EventName,
} from '../../src/kernel/events.rules.ts';
import { sample } from './outbox.ts';

/** What a body carries, to the letter: domain's table of the five kinds. */
const KEYS: Record<EventName, string[]> = {
  'reply.landed': ['touch_id', 'person_id', 'campaign_id', 'channel', 'reading'],
  'send.held': ['send_id', 'campaign_id', 'person_id', 'reason'],
  'domain.paused': ['domain_id', 'domain', 'reason'],
  'deal.opened': ['deal_id', 'campaign_id', 'person_id', 'prospect_id', 'state'],
  'work.review_parked': ['item_id', 'project_id', 'title', 'approval_id', 'moved_by'],
};

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 });

/** A fact as code that knows more might hand it over: the listed fields, and a letter beside them. */
const fact = (event: EventName) =>
  fc
    .record({ subject: text, body: text, snippet: text, html: text, text, from: text, note: text })
    .map((letter) => {
      const marked = Object.fromEntries(
        Object.entries(letter).map(([key, value]) => [key, `PLANTED-${value}`]),
      );
      return { data: { ...marked, ...sample()[event] } as EventData[EventName], letter: marked };
    });

const at = new Date('2026-03-02T14:05:11.204Z');
const envelope = { id: '0198c0de-0000-7000-8000-00000000000e', instance: 'main', occurred_at: at };

test.each(EVENT_NAMES)(
  '%s carries exactly its fields, and no body, subject or snippet of anyone',
  (event) => {
    fc.assert(
      fc.property(fact(event), ({ data }) => {
        const body = eventBody({ ...envelope, event, data });
        const parsed = JSON.parse(body);
        expect(Object.keys(parsed)).toEqual(['id', 'event', 'instance', 'occurred_at', 'data']);
        expect(Object.keys(parsed.data)).toEqual(KEYS[event]);
        expect(body).not.toContain('PLANTED');
      }),
      { numRuns: 60 },
    );
  },
);

test('moved_by is kind, id and name, and no more', () => {
  const data = sample()['work.review_parked'];
  const moved_by = { ...data.moved_by, email: 'PLANTED@example.com', on_behalf_of: { id: 'PLANTED' } };
  const parsed = JSON.parse(
    eventBody({ ...envelope, event: 'work.review_parked', data: { ...data, moved_by } }),
  );
  expect(Object.keys(parsed.data.moved_by)).toEqual(['kind', 'id', 'name']);
});

test('a title is carried whole, whatever it holds, and the bytes are JSON of one line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (title) => {
      fc.pre(title.isWellFormed());
      const body = eventBody({
        ...envelope,
        event: 'work.review_parked',
        data: { ...sample()['work.review_parked'], title },
      });
      expect(JSON.parse(Buffer.from(body, 'utf8').toString()).data.title).toBe(title);
      expect(body).not.toMatch(/[\n\r]/);
    }),
  );
});

test('any value that is not one of the seven readings is sent as unread', () => {
  fc.assert(
    fc.property(fc.oneof(fc.constantFrom<unknown>(...READINGS), fc.anything(), text), (reading) => {
      const data = { ...sample()['reply.landed'], reading } as EventData['reply.landed'];
      const sent = JSON.parse(eventBody({ ...envelope, event: 'reply.landed', data })).data.reading;
      expect(sent).toBe(READINGS.includes(reading as never) ? reading : 'unread');
    }),
  );
});
