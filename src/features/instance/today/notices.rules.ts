// What a notice says and where it leads, by what it is about. No name of anyone outside is in it: a notification outlives an
// erasure.
import type { NoticeKind } from '../../access/notifications/choices.rules.ts';

export type NoticeNoun = 'thread' | 'item' | 'campaign' | 'domain' | 'identity' | 'events';

type About = { id: string; key: string | null; title: string };

/** Who cannot act on it is not notified: what a policy must let them do to something. */
export const NOTICE_ACTION: Record<NoticeNoun, string> = {
  thread: 'inbox.thread.write',
  item: 'work.item.read',
  campaign: 'outreach.campaign.activate',
  domain: 'outreach.domain.resume',
  identity: 'outreach.identity.write',
  events: 'admin.event.redeliver',
};

const projectOf = (key: string): string => key.slice(0, key.lastIndexOf('-'));

export const NOTICE: Record<NoticeNoun, (about: About) => { sentence: string; link: string }> = {
  thread: ({ id }) => ({
    sentence: 'A positive reply is waiting for your answer.',
    link: `/inbox?open=${id}`,
  }),
  item: ({ key, title }) => ({
    sentence: `${key ?? 'A work item'} was assigned to you: ${title}`,
    link: key === null ? '/work' : `/work/${projectOf(key)}/${key}`,
  }),
  campaign: ({ id, title }) => ({
    sentence: `Campaign ${title} paused automatically. Check its metrics.`,
    link: `/campaigns/${id}`,
  }),
  domain: ({ id, title }) => ({
    sentence: `The warden paused ${title}. Review the evidence.`,
    link: `/settings/domains/${id}`,
  }),
  identity: ({ id, title }) => ({
    sentence: `${title} can’t send, so its letters are held.`,
    link: `/settings/identities/${id}`,
  }),
  events: () => ({
    sentence: 'Your event receiver isn’t accepting events. Failed events can be sent again.',
    link: '/settings/integrations',
  }),
};

/** Whom it concerns alone, where it concerns one; everyone who can act on it otherwise. */
export type Concerned = {
  kind: NoticeKind;
  noun: NoticeNoun;
  subject_id: string | null;
  user_id: string | null;
};
