// The kinds of notifications, and how each person receives them: not at all, in the bell, or in the bell and by email.

export const NOTICE_KINDS = ['positive', 'assigned', 'paused', 'failed'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

export const NOTICE_CHOICES = ['off', 'bell', 'mail'] as const;
export type NoticeChoice = (typeof NOTICE_CHOICES)[number];

export type NoticeChoices = Record<NoticeKind, NoticeChoice>;

/** What was never chosen is in the bell. */
export const choicesOf = (saved: Partial<NoticeChoices>): NoticeChoices => ({
  positive: 'bell',
  assigned: 'bell',
  paused: 'bell',
  failed: 'bell',
  ...saved,
});
